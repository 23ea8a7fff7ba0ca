"""The bots as WebAssembly, for browsers and Node."""
