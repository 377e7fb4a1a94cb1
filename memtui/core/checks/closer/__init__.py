"""The closer look: checks that take longer than a first frame may, or that look at a memory's surroundings.

A family is a frozen `Family`: its codes and a function from memories and `Surroundings` to problems. It never
reads the disk and never runs anything: whatever it wants to know, it asks its surroundings, which makes it
testable, and lets the inspector remember what an answer rested on. `table` names the families.
"""
