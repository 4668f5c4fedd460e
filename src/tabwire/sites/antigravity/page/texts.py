"""What controls are labelled, and the words that say a limit, an error or a command's state.

A label is compared whole, in lower case, after keys shown beside it were taken off (`Run⌥⏎`,
`Run Alt+d`). Sources: LazyGravity's detectors (EN, JA), AutoAccept's issues, captured panels.
"""

from typing import Final

LABELS: Final[dict[str, tuple[str, ...]]] = {
    # what may go on
    "run": ("run", "run command", "実行", "実行する", "コマンドを実行"),
    "accept": ("accept", "承諾", "承認", "受け入れる", "適用する", "確認"),
    "retry": ("retry", "try again", "再試行", "やり直す", "もう一度試す"),
    "apply": ("apply", "適用"),
    "execute": ("execute",),
    "confirm": ("confirm", "確定"),
    "allow_once": (
        "allow once", "allow one time", "今回のみ許可", "1回のみ許可", "一度許可", "一度だけ許可",
    ),
    "allow": ("allow", "permit", "許可", "許可する"),
    "continue": ("continue", "続行", "続ける"),
    "proceed": (
        "proceed", "proceed with plan", "approve plan", "進む", "進める", "続行する", "計画を実行",
        "計画を承認", "プランを実行", "プランを承認", "承認して続行", "この計画で進める",
        "実装を開始",
    ),
    "submit": ("submit", "送信", "決定"),
    "accept_all": ("accept all", "すべて承諾", "すべて承認", "すべて受け入れる", "すべて適用"),
    # what must never be chosen by itself
    "always": (
        "always", "always run", "always allow", "allow always", "always proceed",
        "allow this conversation", "allow this chat", "allow for this conversation",
        "allow workspace", "allow global", "allow in workspace", "allow globally",
        "allow for this session", "don't ask again", "常に許可", "常に実行", "この会話を許可",
        "この会話では許可", "ワークスペースで許可", "グローバルに許可",
    ),
    "reject": ("reject", "deny", "decline", "拒否", "拒否する", "却下", "許可しない"),
    "reject_all": ("reject all", "すべて拒否", "すべて却下"),
    "cancel": ("cancel", "キャンセル", "中止"),
    "skip": ("skip", "スキップ"),
    "close": ("close", "閉じる", "accept & close", "accept and close"),
    "refine": ("refine", "修正", "修正する"),
    "dismiss": ("dismiss", "無視", "閉じる (dismiss)"),
    "open": ("open", "開く"),
    "review": ("review", "review changes", "変更を確認", "レビュー"),
    "expand": ("expand", "展開", "requires input"),
    "ask": ("ask every time", "request review", "毎回確認", "毎回尋ねる"),
    "copy": ("copy", "copy debug info", "コピー", "デバッグ情報をコピー"),
    "upgrade": (
        "upgrade", "upgrade plan", "upgrade now", "see plans", "view plans", "see all plans",
        "compare plans", "change plan", "manage plan", "get more", "buy credits", "add credits",
        "get google ai ultra", "アップグレード", "プランを見る", "プランを表示", "プランを比較",
        "クレジットを購入", "升级", "升級", "查看套餐", "查看方案", "업그레이드", "요금제 보기",
        "upgraden",
        "pläne ansehen", "voir les forfaits", "voir les offres", "ver planes", "ver planos",
        "vedi i piani", "тарифы",
    ),
    "more": ("show more", "more", "show all", "さらに表示", "もっと見る", "すべて表示"),
    "stop": ("stop", "stop generating", "stop response", "停止", "生成を停止", "応答を停止"),
}  # fmt: skip
"""Rule -> labels. `close` before dismiss: a label belongs to the first rule that has it."""

APPROVALS: Final = frozenset(
    {"command", "permission", "plan", "question", "accept", "hidden_step", "continue"}
)
"""Kinds of card for which the agent waits."""

WORDS: Final[dict[str, tuple[str, ...]]] = {
    "quota": (
        "model quota reached", "quota exceeded", "exhausted your quota", "exhausted quota",
        "quota limit reached", "モデルの割り当てに達しました", "クォータに達しました",
        "クォータを超えました", "割り当てを使い切りました", "割り当ての上限",
        "利用上限に達しました",
    ),
    "rate": ("rate limit", "レート制限"),
    "error": (
        "agent terminated", "terminated due to error", "unexpected error",
        "something went wrong", "an error occurred", "experiencing high traffic",
        "エラーが発生しました", "エージェントが終了しました", "予期しないエラー",
        "問題が発生しました",
    ),
    "asks_command": ("run command?", "execute command?", "コマンドを実行しますか", "コマンド実行"),
    "running": ("running", "実行中"),
    "doing": (
        "analyzing ", "analysing ", "reading ", "writing ", "searching ", "editing ", "creating ",
        "updating ", "deleting ", "viewing ", "listing ", "opening ", "exploring ", "fetching ",
        "browsing ", "generating ", "中 ", "しています ",
    ),
    "thumbs": ("good", "bad", "good bad", "good response", "bad response", "いいね", "よくない"),
    "requires": ("requires input", "入力が必要"),
    "exit": ("exit code", "exited with code", "終了コード"),
    "rejected": ("rejected", "canceled", "cancelled", "拒否されました", "キャンセルされました"),
    "canceled": ("canceled", "cancelled", "キャンセル"),
    "stopped": (
        "stopped by you", "stopped by user", "stopped by the user", "you stopped", "you canceled",
        "you cancelled", "canceled by user", "cancelled by user", "canceled by the user",
        "cancelled by the user", "interrupted by user", "interrupted by the user",
        "generation stopped", "generation was stopped", "response stopped", "execution stopped",
        "user canceled", "user cancelled", "停止しました", "停止されました", "中断しました",
        "中断されました",
        "已停止", "중지됨",
    ),
    "stopped_whole": (
        "stopped", "canceled", "cancelled", "interrupted", "停止", "キャンセル済み", "中断",
    ),
    "failed": ("error during", "failed", "エラー", "失敗"),
    "thought": ("thought for", "thinking", "thought", "思考", "考え中"),
    "permission": (
        "allow ", "permission", "access to", "needs permission", "許可", "アクセス",
    ),
}  # fmt: skip
