"""Answers side by side, and an answer as plain text, for doors that may not see `ask`."""

from tabwire.text.comparison import Comparison, Difference, Shared, compare
from tabwire.text.plain import plain

__all__ = ["Comparison", "Difference", "Shared", "compare", "plain"]
