"""Pictures: the board, and what the statistics say about it. Never through pyplot, so no window and no global state."""
