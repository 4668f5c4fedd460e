"""chatgpt.com, played: its logged-in page of September 2026 and the requests that page makes."""

from tabwire.lab.replicas.chatgpt.server import HOSTS, routes

__all__ = ["HOSTS", "routes"]
