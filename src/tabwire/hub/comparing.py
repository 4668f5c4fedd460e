"""Answers side by side, and an answer as plain text, for doors that may not see `ask`."""

from tabwire.ask.compare import Comparison, Difference, Shared, compare
from tabwire.ask.plain import plain

__all__ = ["Comparison", "Difference", "Shared", "compare", "plain"]
