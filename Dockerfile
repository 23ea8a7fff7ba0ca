# The bots, benchmarks and environments, with all kernels compiled.
#
#   docker build -t pocketmars . && docker run --rm pocketmars bench planner --deals 20
#
# --build-arg EXTRAS=policies,cuda adds games on an NVIDIA GPU (docker run --gpus all).
# --build-arg CPU=x86-64-v3 makes kernels faster, but needs a CPU with AVX2.
FROM python:3.11-slim
ARG EXTRAS=policies
ARG CPU=generic

COPY . /src
RUN pip install --no-cache-dir -c /src/constraints.txt "/src[$EXTRAS]" && rm -r /src

# The machine that runs the container can have another CPU than the one that builds it.
ENV NUMBA_CPU_NAME=$CPU NUMBA_CPU_FEATURES= NUMBA_CACHE_DIR=/opt/kernels
ENV NVIDIA_VISIBLE_DEVICES=all NVIDIA_DRIVER_CAPABILITIES=compute,utility
RUN useradd --create-home player && install -d -o player /opt/kernels
USER player
RUN pocketmars precompile
WORKDIR /home/player
ENTRYPOINT ["pocketmars"]
CMD ["--help"]
