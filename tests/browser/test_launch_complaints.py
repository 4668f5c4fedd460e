"""The line that matters among what a browser said."""

import pytest

from tabwire.browser.launch import NO_DISPLAY, explain

NO_X = "[1:1:1115/232054.9:ERROR:ui/ozone/x11.cc:257] Missing X server or $DISPLAY"
PIPE = "[2:2:0100/000000.0:ERROR:content/zygote/zygote_linux.cc:662] write: Broken pipe (32)"
BUS = "[1:1:1115/232054.9:ERROR:dbus/bus.cc:405] Failed to connect to the bus: no such file"
CASES = [
    # id, what was said, the line, the remedy
    ("nothing", [], None, None),
    ("blank lines", ["", " "], None, None),
    ("no display, as captured", [NO_X, PIPE], "Missing X server or $DISPLAY", NO_DISPLAY),
    ("unknown, before the noise", ["oh dear", BUS, PIPE], "oh dear", None),
    ("noise alone is better than nothing", [PIPE], "write: Broken pipe (32)", None),
    ("brackets of its own", ["[warning"], "[warning", None),
]


@pytest.mark.parametrize("said, line, remedy", [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_the_line_that_matters_is_shown(said, line, remedy):
    assert explain(said) == (line, remedy)
