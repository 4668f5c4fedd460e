"""One list of selectors per site: the profile `classic` refers to that of page.py."""

import ast
import dataclasses
import inspect
from importlib import import_module

import pytest

from tabwire.sites.page import Selector, any_of


def selectors_of(page):
    """Every CSS selector of a page, of its layouts and its notices."""
    fields = [getattr(one, field.name) for one in page.layouts for field in dataclasses.fields(one)]
    lists = [one for one in fields if isinstance(one, tuple)]
    return {one.css for some in [*lists, *(n.selectors for n in page.notices)] for one in some}


def strings_of(module):
    """What is written in it as a string, apart at every comma."""
    written = ast.walk(ast.parse(inspect.getsource(module)))
    strings = [node.value for node in written if isinstance(node, ast.Constant)]
    return {part for one in strings if isinstance(one, str) for part in one.split(", ")}


@pytest.mark.parametrize("site", ["chatgpt", "gemini"])
def test_no_selector_is_written_in_both(site):
    page = import_module(f"tabwire.sites.{site}.page").PAGE
    assert not selectors_of(page) & strings_of(import_module(f"tabwire.sites.{site}.classic"))


@pytest.mark.parametrize("site", ["chatgpt", "gemini"])
def test_none_is_referred_to_by_its_place_in_a_list(site):
    """A selector put before it would be taken instead."""
    tree = ast.parse(inspect.getsource(import_module(f"tabwire.sites.{site}.classic")))
    lists = [node.value for node in ast.walk(tree) if isinstance(node, ast.Subscript)]
    assert [ast.unparse(one) for one in lists if isinstance(one, ast.Attribute)] == []


def test_any_of_some_selectors_is_one_selector():
    assert any_of(Selector("a", "2026-01"), "b > c") == "a, b > c"
