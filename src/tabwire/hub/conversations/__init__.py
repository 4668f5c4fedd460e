"""Conversations: recorded as they happen, kept, listed and exported.

captures.py   pages of the extension: recorded, kept, shown, given out as files
recorders.py  conversations of asks and of watched tabs, recorded likewise
rereads.py    who has a conversation read once more, one at a time
follow_up.py  the newest conversations asked in are read again when it is quiet
writer.py     captures go to the store, in order
catalogue.py  kept conversations, for the doors: list, find, export
"""
