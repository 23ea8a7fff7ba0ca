# The bots, benchmarks and environments, with all kernels compiled.
#
#   docker build -t pocketmars . && docker run --rm pocketmars bench planner --deals 20
#
# --build-arg EXTRAS=policies,cuda adds games on an NVIDIA GPU (docker run --gpus all).

# The machine that runs the container can have another CPU than the one that builds it. CPUs before 2013 need
# x86-64-v2, with which networks take 1.8 times as long.
FROM python:3.11-slim AS base-amd64
ENV NUMBA_CPU_NAME=x86-64-v3 NUMBA_CPU_FEATURES=""
FROM python:3.11-slim AS base-arm64
ENV NUMBA_CPU_NAME=generic NUMBA_CPU_FEATURES=""

FROM base-${TARGETARCH}
ARG EXTRAS=policies
COPY . /src
RUN pip install --no-cache-dir -c /src/constraints.txt "/src[$EXTRAS]" && rm -r /src

ENV NVIDIA_VISIBLE_DEVICES=all NVIDIA_DRIVER_CAPABILITIES=compute,utility NUMBA_CACHE_DIR=/opt/kernels
RUN useradd --create-home player && install -d -o player /opt/kernels
USER player
RUN pocketmars precompile
WORKDIR /home/player
ENTRYPOINT ["pocketmars"]
CMD ["--help"]
