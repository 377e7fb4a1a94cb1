"""What is gone through row by row over the panes: triage, limits, duplicates, changes, orphaned stores."""
