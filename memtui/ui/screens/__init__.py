"""Screens that lie over the main one."""
