"""The prompt, from one place, with its files inlined so that an answer can name their lines."""

import pytest

from tabwire.hub.jobs.prompt import MAX_FILE_BYTES, MAX_PROMPT_CHARS, read_prompt
from tabwire.model.ask_errors import BadAsk
from tabwire.model.errors import Unreadable


@pytest.fixture
def write(tmp_path):
    def written(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return written


def test_the_prompt_comes_from_the_argument_a_file_or_standard_input(write):
    path = write("p.txt", "From a file.\n")
    assert read_prompt("Said.") == "Said."
    assert read_prompt(None, [path]) == "From a file."
    assert read_prompt(None, stdin="Piped.\n") == "Piped."
    assert read_prompt("-", stdin="Piped.\n") == "Piped."


def test_a_standard_input_with_nothing_in_it_is_none():
    assert read_prompt("Said.", stdin=" \n") == "Said."


def test_line_ends_are_made_one_kind_and_blanks_inside_stay():
    assert read_prompt("\ufeff\r\na\r\n\r\n  b\rc\r\n") == "a\n\n  b\nc"


TWICE = [
    ("Said.", 1, None, "the argument and "),
    ("Said.", 0, "Piped.", "the argument and standard input"),
    (None, 1, "Piped.", "and standard input"),
    (None, 2, None, "p.txt and "),
]


@pytest.mark.parametrize("argument, files, stdin, said", TWICE)
def test_two_prompts_are_a_slip(write, argument, files, stdin, said):
    path = write("p.txt", "From a file.")
    with pytest.raises(BadAsk, match=said) as caught:
        read_prompt(argument, [path] * files, stdin=stdin)
    assert "--prompt-file" in caught.value.what_to_do


@pytest.mark.parametrize("argument, stdin", [(None, None), (None, " "), ("", None), ("-", None)])
def test_no_prompt_is_a_slip(argument, stdin):
    with pytest.raises(BadAsk, match=r"no prompt|empty"):
        read_prompt(argument, stdin=stdin)


def test_a_context_file_has_its_name_and_the_numbers_of_its_lines(write):
    path = write("a.py", "\nx = 1\r\n\r\n" + "y\n" * 7)
    prompt = read_prompt("Explain.", context=[path])
    head, rest = prompt.split(f"\n\n{path} (lines 1-10, numbered):\n")
    assert head == "Explain."
    lines = rest.split("\n")
    assert (lines[0], lines[-1]) == ("```", "```")
    assert lines[1:4] == [" 1| ", " 2| x = 1", " 3| "]
    assert lines[10] == "10| y"


def test_a_file_cannot_end_its_own_fence(write):
    path = write("a.md", "````md\n```\nx\n```\n````\n")
    prompt = read_prompt("Explain.", context=[path])
    assert prompt.count("\n`````") == 2
    assert prompt.endswith("\n5| ````\n`````")


def test_several_files_follow_in_their_order(write):
    paths = [write(name, name) for name in ("b", "a")]
    prompt = read_prompt("Explain.", context=paths)
    assert prompt.index("1| b") < prompt.index("1| a")


CODED = [
    ("utf-8 with a mark", b"\xef\xbb\xbf\xc3\xa4", "1| ä"),
    ("utf-16", "日本".encode("utf-16"), "1| 日本"),
    ("empty", b"", "1| "),
    ("colours of a terminal", b"\x1b[1mx\x1b[0m", "1| \x1b[1mx\x1b[0m"),
]


@pytest.mark.parametrize("raw, line", [c[1:] for c in CODED], ids=[c[0] for c in CODED])
def test_text_is_read_in_the_coding_it_has(write, raw, line):
    assert line in read_prompt("Explain.", context=[write("a", raw)]).split("\n")


@pytest.mark.parametrize("raw", [b"\x89PNG\r\n\x1a\n", b"a\x00b", "ä".encode("latin-1")])
def test_what_is_no_text_is_refused_with_the_way_to_send_it(write, raw):
    path = write("a.bin", raw)
    with pytest.raises(Unreadable, match=r"a\.bin is not a text file") as caught:
        read_prompt("Explain.", context=[path])
    assert f"--file {path}" in caught.value.what_to_do


def test_a_file_that_is_not_there_or_is_a_folder_is_named(tmp_path):
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(Unreadable, match=str(path)):
            read_prompt("Explain.", context=[path])


def test_a_prompt_of_the_most_characters_is_taken_and_one_more_is_not():
    assert len(read_prompt("x" * MAX_PROMPT_CHARS)) == MAX_PROMPT_CHARS
    with pytest.raises(BadAsk, match="200,001 characters") as caught:
        read_prompt("x" * (MAX_PROMPT_CHARS + 1))
    assert "--file" in caught.value.what_to_do


def test_too_much_context_names_the_largest_file(write):
    paths = [write("small", "x" * 60_000), write("large", "x" * 150_000)]
    with pytest.raises(BadAsk, match=r"the largest part is .*large") as caught:
        read_prompt("Explain.", context=paths)
    assert f"--file {paths[1]}" in caught.value.what_to_do


def test_a_huge_file_is_not_even_read(write):
    path = write("huge", "x" * (MAX_FILE_BYTES + 1))
    with pytest.raises(BadAsk, match="800,001 bytes") as caught:
        read_prompt("Explain.", context=[path])
    assert f"--file {path}" in caught.value.what_to_do
