"""The assistants' door: an MCP server inside the hub, and the pump that leads to it.

`tabwire mcp` is what a client starts. It is only a pump: bytes from stdin to the hub's socket
and back, so it is there at once and ten of them weigh next to nothing. The server is in the hub.

pump.py          `tabwire mcp`; it finds the hub, and finds it again; command.py: its --help
hub_failure.py   what it says where it finds none
server.py        `McpDoor`: one server for all; connection.py: one connection of a pump
visitors.py      who is connected; clients.py: what is known of the clients people use
session_end.py   what a client over HTTP is told whose session is gone
tools.py         the tools, and what happens when one is called
arguments.py     what a tool may be given; schemas.py: what it returns
ask_tools.py     tools that ask; progress.py: how long they wait, and what is told meanwhile
lookup_tools.py  jobs, history, pages, status
results.py       a job, in words for a model and as data for a program
wording.py       what errors advise, with tools and arguments in place of commands and flags
roots.py         which files may be sent to a site
resources.py, prompts.py, completion.py  the rest of what MCP offers

Nobody here does any work: a call waits for a job, and the job goes on without it.
Neighbours: imports `model` and `hub`. pump.py imports next to nothing, and stays so.
"""
