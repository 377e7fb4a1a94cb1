"""The notes layout (`layout`): one entry a file (yandy's pi-memory 2.x)."""
