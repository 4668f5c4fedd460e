"""`make demo`: the real thing, with nobody's account: a real browser, real tabs, real bytes.

In:  nothing.      Out: three live columns, an HTML page with screenshots, an exit code.

play.py      the story: a lab, a browser, one question to three sites, what came of it
             against what the lab really received and said
home.py      a home of its own for as long as it plays: nothing of the person's is touched
columns.py   the three columns, live on a terminal or line by line elsewhere
assistant.py the official MCP client asks, through `tabwire mcp` and the hub it starts
everyday.py  the same question through the extension, loaded and paired as a person does it
antigravity.py  an agent at work in the panel's replica, seen and helped (`--antigravity`)
keepsake.py  the page that is saved
person.py    a scripted person who types and sends by hand: what asking is compared with

The question goes through `Hub.ask`, as any door's does. What came back is compared with the
lab's own account, and the demo fails if it is not the same.
"""
