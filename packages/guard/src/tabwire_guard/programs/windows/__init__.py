"""The commands of cmd, and Windows' own programs.

files.py      for files
execution.py  shells, and what runs or fetches something else
system.py     services, users, protection
registry.py   the registry: what starts by itself, what protects, where passwords are
switches.py   how switches are read: `/s`, `/s/q`
"""
