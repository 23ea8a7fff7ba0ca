"""Project Mars: a duel on four lanes, for two players."""
