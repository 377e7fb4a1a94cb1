"""Search: everything that was saved or said, found by its words."""
