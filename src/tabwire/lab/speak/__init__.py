"""Speak as the sites do: Python values to the bytes of a response.

chatgpt/   chatgpt.com: SSE, its socket, stored conversations
gemini.py  gemini.google.com
grok.py    grok.com
x.py       Grok on x.com
"""
