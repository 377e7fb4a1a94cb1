"""Modules of the standard library that do their work when it is asked for, under their own names.

A command uses few of the classes and patterns of what it imports, and making them all is half of its time.
"""
