"""chatgpt.com, played: its pages, for accounts and for guests, and the requests they make."""

from tabwire.lab.replicas.chatgpt.server import HOSTS, routes

__all__ = ["HOSTS", "routes"]
