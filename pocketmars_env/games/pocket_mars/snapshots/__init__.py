"""Positions as plain data: conversion, restoration, validity checks, and positions between phases."""
