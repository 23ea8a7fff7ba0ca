"""Test of generalization: policies are trained on some games, and tested on others.

python -m pocketmars_training.generalization run
python -m pocketmars_training.generalization table deals
"""
