"""PowerShell's own commands.

display.py     those that look, count, sort and print
files.py       files, and what PowerShell shows as if it were files; archives.py: packed ones
locations.py   folders to stand in, paths as text
execution.py   what runs something else
network.py     what talks to other machines
system.py      services, disks, users, protection
modules.py     commands of well-known modules, by their verbs
parameters.py  how parameters are read: by any clear beginning, with lists as values
"""
