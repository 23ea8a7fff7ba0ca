"""The line protocol for bots in any language: JSON lines over stdin and stdout; see docs/line_protocol.md."""
