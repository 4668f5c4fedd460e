"""The machine itself, and the person's desktop.

administration.py  disks, users, services, firewalls, schedules
desktop.py         windows, browsers, editors, other agents
"""
