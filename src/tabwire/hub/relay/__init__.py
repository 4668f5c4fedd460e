"""The extension's side of the hub: it dials in, is paired, and its browser is used.

relays.py           the extensions that are connected, and the one that is used
handshake.py        its first messages: who it is, and whether it may stay
pairing.py          a short code once, a long key from then on; pairing_code.py: the code
session.py          one extension over all its sockets: nothing missed, nothing heard twice
connection.py       one socket
installation.py     where what an extension says goes: its browser, its pages
diagnosis.py        why no extension is connected, and what helps
tunnel.py           the extension's browser, for a command outside the hub
extension_files.py  where the extension lies that came with this Tabwire
"""
