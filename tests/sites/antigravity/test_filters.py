"""Texts without structure: facts, section 3.2 (column C), and behaviours S0-041 to S0-048."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwire.sites.antigravity.filters import Line, classify, split_output_and_logs

L, O = Line.LOG, Line.OUTPUT  # noqa: E741
TABLE = [
    # number in the facts, text, what it is
    (1, "Analyzing...", L),
    (2, "Analyzing current workspace", L),
    (3, "Analyzed package.json#L1-75", L),
    (4, "Analyzed index.php #L1-229", L),
    (5, "Reading src/app.py", L),
    (6, "Read README.md", L),
    (7, "Read the docs at https://x.y before you start.", O),
    (8, "Running tests", L),
    (9, "Ran command", L),
    (10, "Run command?", Line.APPROVAL),
    (11, "Thought for 38 seconds", L),
    (12, "Thought for <1s", L),
    (13, "Thought for a couple of seconds", L),
    (15, "Thinking about it, the answer is 42.", O),
    (16, "Initiating Task Execution", L),
    (17, "Searched CategoryId 4 results", L),
    (18, "Edited schema.sql +1 -0", L),
    (19, "Created CategoryId.php +41 -0", L),
    (20, "Created by Alice in 2020, this library handles JWTs.", O),
    (21, "Deleted old.txt", L),
    (22, "Error during tool execution", L),
    (23, "Exit code 0", L),
    (24, "Waiting..", Line.STATUS),
    (25, "Working..", Line.STATUS),
    (26, "Generating..", Line.STATUS),
    (27, "good", O),
    (29, "Good job, the build passes.", O),
    (30, "jina-mcp-server / search_web", L),
    (31, "client / server", O),
    (32, "either/or", O),
    (33, "24/7", O),
    (34, "and/or", O),
    (35, "Full output written to /tmp/output.txt", L),
    (36, "output.txt#L1-131", L),
    (37, "output.txt", O),
    (38, "title: 東京都の天気 url: https://a snippet: 晴れ", L),
    (39, "title: X", O),
    (40, "json", Line.LABEL),
    (41, "python", Line.LABEL),
    (42, "Go", O),
    (43, "text", O),
    (45, '"query": "USD/JPY"', O),
    (46, "+5", L),
    (47, "+1 -0", L),
    (49, "Line 5 of the file is wrong.", O),
    (50, "tool call: xyz", L),
    (51, "MCP is a protocol.", O),
    (52, "Show details", Line.CHROME),
    (53, "2026年2月24日の東京の天気は晴れです。", O),
    (54, "分析中...", L),
    (55, "ファイルを読み込み中", L),
    (56, "Prioritizing the next implementation steps.", O),
    (57, "Error You have exhausted your quota on this model.", Line.QUOTA),
    (58, "Model quota reached Dismiss Upgrade", Line.QUOTA),
    (59, "The API has a rate limit of 60/min.", O),
    (60, "To avoid the rate limit, upgrade your plan.", O),
    (61, "Planning Mode", Line.CHROME),
    (62, "Checking if the fix works is easy: run pytest.", O),
    (63, "Building the project takes 3 minutes.", O),
    (64, "Our servers are experiencing high traffic right now, please try again in a minute.",
     Line.ERROR),
    (65, "Agent terminated due to error", Line.ERROR),
    (66, "1 Step Requires Input", Line.APPROVAL),
    (67, "Allow directory access to C:\\x?", Line.APPROVAL),
    (68, "2 Files With Changes", Line.CHROME),
    (69, "Review Changes", Line.CHROME),
]  # fmt: skip


@pytest.mark.parametrize("text, kind", [c[1:] for c in TABLE], ids=[str(c[0]) for c in TABLE])
def test_a_line_is_what_the_facts_say(text, kind):
    assert classify(text) is kind


@pytest.mark.parametrize(
    "text", ["Analyzing current workspace", "Thought for 38 seconds", "Initiating Task Execution"]
)
def test_s0_041_activity_stands_in_the_log(text):
    split = split_output_and_logs(text)
    assert (split.output, split.logs) == ("", text)


@pytest.mark.parametrize(
    "text",
    [
        "jina-mcp-server / search_web",
        "title: A url: B snippet: C",
        "Full output written to /tmp/o.txt",
        "output.txt#L1-131",
        "json",
    ],
)
def test_s0_042_tool_output_stands_in_the_log(text):
    split = split_output_and_logs(text)
    assert (split.output, split.logs) == ("", text)


@pytest.mark.parametrize(
    "text",
    [
        "2026年2月24日の東京の天気は…",
        "Prioritizing the next implementation steps.",
        "The quick fix is to add a null check.",
    ],
)
def test_s0_044_sentences_are_output(text):
    split = split_output_and_logs(text)
    assert (split.output, split.logs) == (text, "")


def test_s0_046_a_log_line_between_japanese_lines():
    split = split_output_and_logs("日本語の本文\nAnalyzing current workspace\nもう一行")
    assert split.output == "日本語の本文\nもう一行"
    assert split.logs == "Analyzing current workspace"


def test_s0_047_nothing_in_a_fence_is_a_log():
    text = "Here:\n```\nAnalyzing inside code block\nRunning tests\n```\nDone."
    assert split_output_and_logs(text).output == text


def test_s0_048_with_tools_only_the_last_paragraph_is_output():
    text = (
        "jina-mcp-server / search_web\n\nI should look at the rate first.\n\n"
        "jina-mcp-server / read_url\n\nNow I compare both values.\n\n"
        "1ドルは約150円です。\n出典は日本銀行です。\n\nGood\nBad"
    )
    split = split_output_and_logs(text)
    assert split.output == "1ドルは約150円です。\n出典は日本銀行です。"
    assert "compare both" in split.logs
    assert "Good" in split.logs


@pytest.mark.parametrize(
    "text", ["analyzed", "thinking...", "good bad", "tool call: xyz", "+5", "css", "Good\nBad"]
)
def test_what_the_panel_says_by_itself_is_no_output(text):
    assert split_output_and_logs(text).output == ""


def test_a_bare_object_is_a_log_and_a_lone_key_is_not():
    assert split_output_and_logs('{\n"query": "USD/JPY"\n}').output == ""
    assert split_output_and_logs('"query": "USD/JPY"').logs == ""


SENTENCES = [
    "Read the docs at https://x.y before you start",
    "Running `npm test` gives you the results",
    "Writing tests first helps",
    "Updated app.py to fix the bug",
    "Deleted old.txt because it was unused",
    "Ran 2 tests, both pass",
    "Ran into an error in app.py",
    "Created files:",
    "Initiating the process requires admin rights",
    "Thought for a moment about the design and then changed it.",
    "Worked for 3 years at Google",
    "Tool call limits were reached today, so I stopped.",
    "Quota exceeded errors are returned as HTTP 429.",
    "Model quota reached is what the banner says.",
    "You have exhausted your quota, so the API returns 429.",
    "The site is experiencing high traffic, so responses may be slow.",
    "The process was terminated due to error 137.",
    "Agent terminated is a message you see when it crashes.",
    "Allow me to explain: why does it fail?",
    "Run command? The dialog asks before anything runs.",
    "サーバーはデータを処理しています",
    "-3",
    "iOS / macOS",
]


@pytest.mark.parametrize("text", SENTENCES)
def test_a_sentence_with_words_of_the_panel_is_output(text):
    assert classify(text) is Line.OUTPUT


ROWS = [
    ("Searched foo 3 results", L),
    ('Searched for "foo bar"', L),
    ("Ran npm test", L),
    ("Ran background command", L),
    ("Listed src", L),
    ("Read file", L),
    ("Navigated to https://x.y", L),
    ("Checked command status", L),
    ("Process exited with code 1", L),
    ("Error during tool execution: timeout", L),
    ("Thought for 1.5s", L),
    ("context7 / resolve-library-id", L),
    ("README.md を読み込みました", L),
    ("ファイルを検索しています", L),
    ("コマンドを実行しました", L),
    ("コマンドを実行", Line.APPROVAL),
    ("~/shop へのアクセスを許可しますか?", Line.APPROVAL),
    ("Open https://x.y/docs in the browser?", Line.APPROVAL),
    ("Run command", Line.APPROVAL),
    ("Waiting…", Line.STATUS),
    ("Working.", Line.STATUS),
    ("Run⌥⏎", Line.CHROME),
    ("Ask every time", Line.CHROME),
    ("Ask anything, @ to mention, / for workflows", Line.CHROME),
    ("You\u2019ve exhausted your quota on this model", Line.QUOTA),
    ("Model quota reached. It resets in 3 hours. Dismiss Upgrade", Line.QUOTA),
    ("Something went wrong. Please try again. Dismiss Retry", Line.ERROR),
    ("ツールの実行中にエラーが発生しました", Line.ERROR),
]


@pytest.mark.parametrize("text, kind", ROWS, ids=[c[0] for c in ROWS])
def test_what_only_the_panel_says_is_no_output(text, kind):
    assert classify(text) is kind


PARTS = [
    # id, text, its output
    ("a search over lines", "title: A\nurl: https://a\nsnippet: b\n\nSo it is.", "So it is."),
    ("a title alone", "title: A\nSo it is.", "title: A\nSo it is."),
    ("an object with a list", '{\n"urls": [\n"https://a",\n"https://b"\n]\n}\nDone.', "Done."),
    ("a set of rules", "{\ncolor: red\n}", "color: red"),
    ("a file that was written", "Full output written to\noutput.txt\nDone.", "Done."),
    ("a bar with a gap", "Done.\n\nGood\n\nBad", "Done."),
    ("a Japanese bar", "できました。\nいいね\nよくない", "できました。"),
    ("a fence in a fence", "```md\n```py\nRunning tests\n```", "```md\n```py\nRunning tests\n```"),
]


@pytest.mark.parametrize("text, output", [c[1:] for c in PARTS], ids=[c[0] for c in PARTS])
def test_lines_that_belong_together(text, output):
    assert split_output_and_logs(text).output == output


def test_code_in_the_last_paragraph_stays_whole():
    answer = "Here it is:\n```py\na = 1\n\nb = 2\n```"
    text = f"jina-mcp-server / search_web\n\nI look it up.\n\n{answer}"
    assert split_output_and_logs(text).output == answer


def test_a_transcript_that_ends_with_a_tool_has_no_output_yet():
    text = (
        'jina-mcp-server / search_web\njson\n{\n"query": "USD/JPY"\n}\n'
        "Full output written to\noutput.txt\noutput.txt#L1-127"
    )
    assert split_output_and_logs(text).output == ""


@given(st.lists(st.sampled_from([c[1] for c in TABLE] + ["```", "", "```py"]), max_size=12))
def test_no_line_is_lost_or_made_up(lines):
    split = split_output_and_logs("\n".join(lines))
    kept = sorted(x.strip() for x in (split.output + "\n" + split.logs).split("\n") if x.strip())
    assert kept == sorted(x.strip() for x in lines if x.strip())
