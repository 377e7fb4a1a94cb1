"""The facts layout (`layout`): one fact a file, and an index."""
