"""What the panel says, in English and in Japanese. Only the labels: plans bring their texts."""

from typing import Literal

Lang = Literal["en", "ja"]

EN = {
    "thinking": "Thinking",
    "thought": "Thought for {0}s",
    "ask_command": "Run command?",
    "running_command": "Running command",
    "ran_command": "Ran command",
    "rejected_command": "Rejected command",
    "canceled_command": "Canceled command",
    "run": "Run",
    "reject": "Reject",
    "cancel": "Cancel",
    "ask_policy": "Ask every time",
    "always_policy": "Always run",
    "exit_code": "Exit code {0}",
    "deny": "Deny",
    "allow": "Allow",
    "allow_once": "Allow Once",
    "allow_conversation": "Allow This Conversation",
    "allow_workspace": "Allow Workspace",
    "allow_global": "Allow Global",
    "submit": "Submit",
    "accept": "Accept",
    "question": "Allow directory access to ~/shop/data?",
    "script": "Agent needs permission to execute JavaScript on localhost:3000",
    "address": "Open https://example.com/docs in the browser?",
    "changes": "{0} Files With Changes",
    "change": "1 File With Changes",
    "review": "Review Changes",
    "accept_all": "Accept all",
    "reject_all": "Reject all",
    "open": "Open",
    "proceed": "Proceed",
    "dismiss": "Dismiss",
    "copy_debug": "Copy debug info",
    "retry": "Retry",
    "continue": "Continue",
    "failed": "Agent terminated due to error",
    "limit": "The agent has reached its invocation limit.",
    "quota": "Model quota reached",
    "quota_more": "You have exhausted your quota on this model. It resets in 3 hours.",
    "quota_inline": "You have exhausted your quota on this model.",
    "upgrade": "Upgrade",
    "see_plans": "See plans",
    "busy": "Our servers are experiencing high traffic right now, please try again in a minute.",
    "needs_input": "1 Step Requires Input",
    "expand": "Expand",
    "waiting": "Waiting..",
    "working": "Working..",
    "generating": "Generating..",
    "running": "Running",
    "worked": "Worked for {0}s",
    "good": "Good",
    "bad": "Bad",
    "stop": "Stop",
    "empty": "Agent",
}

JA = {
    **EN,
    "thinking": "思考中",
    "thought": "{0}秒間思考しました",
    "ask_command": "コマンドを実行",
    "running_command": "コマンドを実行中",
    "ran_command": "コマンドを実行しました",
    "rejected_command": "コマンドを拒否しました",
    "canceled_command": "コマンドをキャンセルしました",
    "run": "実行",
    "reject": "拒否",
    "cancel": "キャンセル",
    "ask_policy": "毎回確認",
    "always_policy": "常に実行",
    "exit_code": "終了コード {0}",
    "open": "開く",
    "proceed": "続行",
    "deny": "拒否",
    "allow": "許可",
    "allow_once": "今回のみ許可",
    "allow_conversation": "この会話を許可",
    "submit": "送信",
    "accept": "承認",
    "question": "~/shop/data へのアクセスを許可しますか?",
    "stop": "停止",
}

WORDS: dict[Lang, dict[str, str]] = {"en": EN, "ja": JA}


def word(lang: Lang, name: str, *values: object) -> str:
    """One label."""
    said = WORDS[lang][name]
    return said.format(*values) if values else said
