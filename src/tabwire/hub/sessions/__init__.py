"""Sessions: which chats and tabs belong to which agent.

sessions.py     sessions of agents, for the doors
legacy_file.py  the sessions.json of the older tool: read in both versions, and written
"""
