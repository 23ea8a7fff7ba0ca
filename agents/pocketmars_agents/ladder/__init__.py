"""The ladder: bundles with bots of strangers, their verification on secret deals, and rankings."""
