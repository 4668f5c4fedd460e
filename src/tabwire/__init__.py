"""Tabwire: the wire between the AI chat tabs you already have open and everything else."""

__version__ = "0.1.0"
