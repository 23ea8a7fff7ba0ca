"""The line protocol: bots in any language, as JSON lines over stdin and stdout; see docs/line_protocol.md."""
