"""The kernels as WebAssembly, for browsers and Node."""
