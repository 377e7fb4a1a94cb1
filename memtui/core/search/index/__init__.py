"""The index over sessions: a cache in which every message is found by its words, whatever was said when."""
