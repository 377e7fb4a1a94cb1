"""The entries layout (`layout`): files with entries between section signs."""
