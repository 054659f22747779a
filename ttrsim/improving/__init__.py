"""Search for changes of a board that make it fairer."""
