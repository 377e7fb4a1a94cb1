"""What gets something to the agent that runs beside memtui: a command, a passage."""
