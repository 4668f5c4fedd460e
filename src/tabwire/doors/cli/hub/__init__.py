"""The hub's own commands.

serve.py      `tabwire serve`: be the hub
status.py     `tabwire status`; logs.py: `tabwire logs`; config.py: `tabwire config`
stop.py       `tabwire stop` and `tabwire restart`
repair.py     `tabwire repair`: the store restored from its last good copy
dashboard.py  `tabwire dashboard`
"""
