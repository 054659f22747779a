"""Statistics: what the games of a run say, with errors."""
