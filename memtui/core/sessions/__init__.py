"""Conversations on disk: which there are, what they say, and how they grow. Reading never writes into them."""
