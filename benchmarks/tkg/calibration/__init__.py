"""Looks for the config whose generated graph is most like a given one."""
