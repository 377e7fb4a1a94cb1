"""The topics layout (`layout`): many entries a file, and an index."""
