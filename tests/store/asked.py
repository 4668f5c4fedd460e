"""Requests and answers for these tests."""

from tabwire.model.ask import Answer, AskRequest, Completeness
from tabwire.store.rows import Owner

ME, OTHER = Owner(11, 1.5), Owner(22, 2.5)


def ask(prompt="why?", site="chatgpt", **settings):
    return AskRequest(site, prompt, **settings)


def answer(attempt_id, text="because", **settings):
    kept = {"site": "chatgpt", "prompt": "why?", "completeness": Completeness.COMPLETE, "why": "w"}
    return Answer(id=attempt_id, text=text, **{**kept, **settings})
