"""gemini.google.com, played: its page of 2026, with open shadow roots, and what that page asks."""

from tabwire.lab.replicas.gemini.server import HOSTS, routes

__all__ = ["HOSTS", "routes"]
