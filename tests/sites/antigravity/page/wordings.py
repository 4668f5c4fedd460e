"""Notices of an agent panel as people may meet them: limits, and plain errors."""

LIMITS = [
    "Model quota limit exceeded",
    "You have reached the quota limit for this model. You can resume using this model at "
    "11/18/2026, 9:49:36 PM.",
    "Individual quota reached. Contact your administrator to enable overages. Resets in 143h5m5s.",
    "Your usage of Gemini 3.1 Pro is over the weekly limit.",
    "You've hit your limit. Resets 5pm.",
    "Out of AI credits for this month.",
    "No credits left on your plan",
    "Gemini 3.1 Pro: 0 requests remaining, refreshes in 2 h 10 min",
    "Baseline quota for Claude Opus 4.6 was used up; available again tomorrow",
    "Claude Sonnet is unavailable until 17:30",
    "429 Too Many Requests",
    "RESOURCE_EXHAUSTED: check quota",
    "Upgrade to Google AI Ultra for higher limits",
    "You are being rate-limited on this model",
    "Free tier exhausted: limits refresh on Monday. See plans",
    "Daily token limit reached for this account",
    "The allowance of your team has been spent",
    "このモデルの割り当て上限に達しました。3時間後にリセットされます。",
    "クォータを使い切りました",
    "Claude の利用枠がなくなりました。明日再開できます。",
    "利用制限に達したため送信できません",
    "配额已用完，将在 3 小时后重置。",
    "모델 할당량을 초과했습니다",
    "Kontingent für dieses Modell aufgebraucht. Wieder verfügbar in 3 Std.",
    "Limite d'utilisation atteinte. Réinitialisation dans 2 heures.",
    "Crédits épuisés",
    "Has alcanzado el límite de uso de este modelo",
    "Limite de uso atingido",
    "Quota del modello esaurita",
    "Квота модели исчерпана",
]

ERRORS = [
    "Agent terminated due to error",
    "Agent execution terminated due to error. You can prompt the model to try again or start a new "
    "conversation if the error persists. See our troubleshooting guide for more help.",
    "Our servers are experiencing high traffic right now, please try again in a minute.",
    "Something went wrong",
    "An unexpected error occurred. Please try again.",
    "Network error: connection reset by peer",
    "Request timed out after 5 minutes. Try again.",
    "Internal server error (500)",
    "The connection to the language server was lost",
    "Failed to fetch",
    "HTTP 503: service unavailable",
    "The model returned an empty response",
    "Invalid tool call: expected property name",
    "The model produced an invalid response and was stopped",
    "Could not reach the server. Check your internet connection.",
    "TLS handshake failed at 10:32:05",
    "Agent stopped responding",
    "Unable to start the browser",
    "stream closed before completion",
    "Error during tool execution: ENOENT: no such file or directory",
    "The model is overloaded. Please try again.",
    "Failed to load the conversation",
    "エラーが発生しました。もう一度お試しください。",
    "エージェントが終了しました",
    "ネットワークに接続できません",
    "Ein unerwarteter Fehler ist aufgetreten",
    "Une erreur est survenue",
    "Se produjo un error inesperado",
]

DOUBTFUL = [
    # no limit of a plan that could be told, and nothing to try again by itself either
    "Context window limit exceeded",
    "Output token limit reached",
    "Error 429",
    "No capacity available for this model",
    "Payment failed",
    "Gemini is overloaded. Try again in 5 minutes.",
]

STEPS = ["The agent has reached its invocation limit.", "エージェントが呼び出し上限に達しました。"]
"""Limits of one turn: one may go on after them."""
