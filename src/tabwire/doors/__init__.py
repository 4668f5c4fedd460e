"""Entry points for people and programs: each door turns input into calls of `Hub`.

cli/        the terminal
http/       programs on this machine, over HTTP
dashboard/  the files of the page that http/ shows to a person
mcp/        assistants, over the Model Context Protocol

Doors print and wait. They do not judge answers and cannot reach a browser.
Neighbours: imports `model` and `hub`.
"""
