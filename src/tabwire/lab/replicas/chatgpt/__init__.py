"""chatgpt.com, played: its pages, for accounts and for guests, and the requests they make.

account.py   chatgpt.com's account
asked.py     what the page's requests say
files.py     chatgpt.com's uploads
parts.py     by which names the parts of chatgpt.com's pages can be told, in each layout, best
             first
refusals.py  how chatgpt.com says no to a request
server.py    chatgpt.com's side of the wire
socket.py    chatgpt.com's WebSocket
turns.py     exchanges of the room in chatgpt.com's words
"""

from tabwire.lab.replicas.chatgpt.server import HOSTS, routes

__all__ = ["HOSTS", "routes"]
