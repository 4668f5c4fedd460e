"""The page a person sees who comes to the dashboard without a ticket that opens it."""

import base64
import hashlib
from html import escape

_STYLE = """
:root { color-scheme: light dark; --ground: #f4f6f8; --card: #fff; --ink: #1f2328; --soft: #59636e;
  --line: #d8dee4; --accent: #1f6f8b; }
@media (prefers-color-scheme: dark) { :root { --ground: #15171a; --card: #1f2226; --ink: #e6e9ec;
  --soft: #a5adb6; --line: #363c44; --accent: #7cc4dc; } }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--ground);
  color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans",
  "Noto Sans JP", sans-serif; }
main { max-width: 460px; margin: 24px; padding: 28px 32px; background: var(--card);
  border: 1px solid var(--line); border-radius: 14px; }
h1 { font-size: 20px; margin: 0 0 12px; }
p { margin: 0 0 14px; color: var(--soft); }
code { font: 600 15px/1.4 ui-monospace, "SF Mono", Menlo, Consolas, monospace; color: var(--accent);
  display: block; padding: 12px 14px; border: 1px solid var(--line); border-radius: 8px; }
"""

_PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Tabwire</title><style>{style}</style></head>
<body><main>
<h1>This does not open the dashboard</h1>
<p>{message} {what_to_do}</p>
<p lang="ja">ダッシュボードを開くには、ターミナルで次を実行してください。</p>
<code>tabwire dashboard</code>
</main></body>
</html>
"""

_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()

Headers = list[tuple[bytes, bytes]]

CLOSED: Headers = [
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
]
"""What every page of ours says to a browser, besides its policy."""

NOTHING_ELSE = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


def sorry(message: str, what_to_do: str) -> tuple[bytes, Headers]:
    """The page, and the headers it needs."""
    said = f"{message[:1].upper()}{message[1:]}."
    plain = what_to_do.replace("`", "")
    page = _PAGE.format(style=_STYLE, message=escape(said), what_to_do=escape(plain))
    policy = f"{NOTHING_ELSE}; style-src 'sha256-{_HASH}'"
    return page.encode(), [*CLOSED, (b"content-security-policy", policy.encode())]
