"""The agents that run beside memtui: who they are, what they have loaded, and how something reaches them."""
