"""Where people and programs come in: each door turns their words into calls of `Hub`.

cli/        the terminal
http/       programs on this machine, over HTTP
dashboard/  the files of the page that http/ shows to a person
mcp/        assistants, over the Model Context Protocol

Doors print and wait; they decide nothing about an answer and cannot reach a browser.
Neighbours: imports `model` and `hub`.
"""
