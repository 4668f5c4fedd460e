"""The hub as a process: started on demand, one per person, ended when idle.

daemon.py    from its lock to its end
assembly.py  build a running hub, for the length of a block
startup.py   the same while store and jobs are still being opened
starter.py   any door starts the hub when there is none
lock.py      one hub per person, and where its sockets are
sockets.py   where it listens; loopback.py: where there are no Unix sockets
token.py     the secret of programs that come in by the port
backups.py   a good copy of the store every day, and the store restored from it
"""
