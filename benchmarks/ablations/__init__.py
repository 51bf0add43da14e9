"""Reasoners with a piece of logic missing."""
