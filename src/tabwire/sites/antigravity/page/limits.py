"""What says that a limit is reached: words in any order, and the shape of a notice.

No list has every wording, so a limit is told by what stands together: what is limited (a quota,
a usage limit, credits), that it is reached, when it is back, and a control that sells more. Two
of these make a limit. One alone makes a notice that may be a limit: nothing is tried again there.
The patterns are read by Python and by the page alike: only what both understand stands in them.
English, Japanese, Chinese, Korean, German, French, Spanish, Portuguese, Italian, Russian.
"""

import re
from collections.abc import Iterable
from typing import Final

_ABOUT = (
    r"\bquotas?\b|\ballowances?\b|\blimits?\b|\bcredits?\b|\busage\b|\brate[- ]?limit\w*"
    r"|クォータ|クオータ|割り?当て?|上限|制限|利用枠|使用枠|使用量|利用量|使用回数|利用回数|クレジット"
    r"|配额|配額|限额|限額|额度|額度|用量|使用次数|上限|할당량|한도|사용량|크레딧"
    r"|\bkontingent\w*|\bguthaben\w*|\bnutzungs\w*|\blimit\w*|\bgrenzwert\w*|\bquote\b"
    r"|\bl[ií]mite\w*|\bcrédits?\b|\bcréditos?\b|\bcrediti\b|\bcuotas?\b|\bcotas?\b|\bforfait\b"
    r"|квот\w*|лимит\w*|кредит\w*"
)
_REACHED = (
    r"\breach\w*|\bhit\b|\bexceed\w*|\bexhaust\w*|\bused (?:up|all)\b|\br[ua]n out\b|\bout of\b"
    r"|\bdeplet\w*|\bconsumed\b|\bmaxed\b|\bspent\b|\bno (?:more )?[\w ]{0,30}(?:left|remain\w*)"
    r"|\b0 [\w ]{0,20}(?:left|remain\w*)|\binsufficient\b|\bnot enough\b|\blimited\b|\bthrottl\w*"
    r"|\bover (?:the|your|its)\b|\bpassed\b|\bused \d+ of \d+|\b100 ?%|\bzero\b|\bdon.t have\b"
    r"|達し|到達|超え|超過|使い切|使い果|なくな|残ってい(?:ません|ない)|残りがありません|不足|消費し"
    r"|达到|達到|超出|超过|超過|用完|用尽|用盡|耗尽|耗盡|不足"
    r"|도달|초과|소진|부족"
    r"|\berreicht|überschritten|\baufgebraucht|\berschöpft|\bverbraucht"
    r"|\batteint|\bdépass|épuis|\balcanzad|\bagotad|\bexcedid|\bsuperad|\balcançad|\bating"
    r"|\besgotad|\besaurit|\braggiunt|\bsuperat"
    r"|достигнут|превышен|исчерпан|израсходован"
)
_TIME = (
    r"\d+ ?(?:d|days?|h|hrs?|hours?|m|mins?|minutes?|weeks?|w|std|stunden?|tage?n?|heures?|jours?"
    r"|horas?|días?|dias?|ore|giorni|ч|час\w*|мин\w*|дн\w*)(?![a-z\u0430-\u044f])"
    r"|\d+ ?h ?\d+|\d+ ?(?:時間|分|日|週間|小时|小時|分钟|分鐘|天|시간|분|일)"
    r"|\d{1,2}:\d{2}|\d{1,2} ?[ap]\.?m\b|\d{1,2}時|\d{4}-\d{2}-\d{2}|\d{1,2}/\d{1,2}"
    r"|\btomorrow\b|\bmidnight\b|\bnext (?:day|week|month)\b|明日|翌日|明天|내일|\bmorgen\b"
    r"|\bdemain\b|\bmañana\b|\bamanhã|\bdomani\b|завтра"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}\b"
)
_BACK = (
    rf"(?:\breset\w*|\brefresh\w*|\brenew\w*|\breplenish\w*|\bresum\w*|\brestor\w*|\brefill\w*"
    rf"|\bavailab\w*|\bagain\b|\buntil\b|\bback\b|\bwait\b|\bunlock\w*|\bréinitialis\w*"
    rf"|\bdisponib\w*|\brestabl\w*|\breinici\w*|\bripristin\w*|\bredefin\w*|\bverfügbar\w*"
    rf"|\bzurückgesetzt|\bsetzt sich|\bsetzt\b"
    rf"|\u0441\u0431\u0440\u043e\u0441\w*|обнов\w*|доступ\w*)"
    rf"[^.!?。]{{0,60}}?(?:{_TIME})"
    rf"|(?:{_TIME})[^。!?]{{0,20}}(?:リセット|回復|再開|利用|更新|使え|重置|恢复|恢復|可用|재설정|초기화"
    rf"|사용|zurückgesetzt|wieder verfügbar)"
    rf"|(?:リセット|回復|再開|更新|重置|恢复|恢復|재설정|초기화)[^。!?]{{0,20}}(?:{_TIME})"
)
_MORE = (
    r"\bupgrade\w*|\b(?:see|view|compare|choose|change|manage)(?: your| our| all)? plans?\b"
    r"|\bget more\b|\bbuy\b|\bpurchase\b|\badd (?:more )?credits\b|\benable overages?\b"
    r"|\bai (?:ultra|pro|plus)\b|\bsubscri\w*|\bbilling\b|\bpaid (?:plan|tier)\b"
    r"|アップグレード|プランを(?:見る|表示|変更|選択|比較)|購入|サブスク|升级|升級|查看(?:套餐|方案)|购买|購買"
    r"|업그레이드|요금제|구매|\bupgraden\b|\btarife?\b|\bmettre à niveau"
    r"|\bvoir les (?:offres|forfaits)"
    r"|\bactualizar (?:el )?plan|\bver (?:los )?planes|\bver planos|\bpassa a\b|\bvedi i piani"
    r"|тариф\w*|подписк\w*"
)
_MODEL = (
    r"\bmodels?\b|\bgemini\b|\bclaude\b|\bgpt\b|\bopus\b|\bsonnet\b|\bhaiku\b|モデル|模型|모델"
    r"|\bmodell\w*|\bmodèle\w*|\bmodelo\w*|\bmodello\b|модел\w*"
)
_GONE = (
    r"\bunavailable\b|\bnot available\b|\bcan.?t use\b|\bcannot use\b|\bpaused\b|\blocked\b"
    r"|\bblocked\b|\bdisabled\b|\bwait\b"
    r"|利用できま|使用できま|利用不可|不可用|无法使用|無法使用|사용할 수 없"
)
_CERTAIN = (
    r"\b(?:0|no|zero) (?:requests?|messages?|prompts?|generations?) (?:left|remain\w*)"
    r"|\btoo many requests\b|\bresource[ _]?exhausted\b|\bexhausted (?:your )?quota"
    r"|\bmodel quota reached\b|\bquota exceeded\b|\brate[- ]limited\b"
    r"|リクエストが多すぎ|请求过多|請求過多"
    r"|\bzu viele anfragen|\btrop de requêtes|\bdemasiadas solicitudes|слишком много запросов"
)
_STEPS = (
    r"\b(?:invocations?|steps?|iterations?|tool[- ]calls?|turns?|actions?)"
    r"(?:[ -](?:count|call|use))? limits?\b"
    r"|\blimits? of (?:\d+ )?(?:invocations?|steps?|iterations?|tool[- ]calls?|turns?|actions?)\b"
    r"|(?:呼び出し|実行|ステップ|反復)(?:回数|数)?(?:の)?(?:上限|制限)"
)
_OTHER = (
    rf"{_STEPS}|\b(?:context|tokens?|output|input|prompt|length|size|time|file|memory|depth"
    r"|recursion|lines?|characters?|disk|heap|upload|nesting|stack|buffer|redirect|retry)"
    r"(?:[ -](?:window|length|count|size))? limits?\b|\b(?:memory|cpu|disk|gpu) usage\b"
    r"|\bcredit card\b|\btime ?limit\b"
    r"|(?:コンテキスト|トークン|時間|サイズ|文字数|出力|入力)(?:数|長)?(?:の)?(?:上限|制限)"
)
_BUSY = (
    r"\boverload\w*|\bhigh (?:traffic|demand|load)\b|\bbusy\b|\bcapacity\b|混雑|混み合|過負荷|繁忙"
)
_PERIOD = r"\bdaily\b|\bweekly\b|\bhourly\b|\bmonthly\b|\btoday\b|\bplan\b|\bfree\b|\btier\b"
_MAY = r"\b429\b|\btoo many\b|\bpayment\b|\boverages?\b|\bcapacity\b|\badministrator\b"

LIMITS: Final = {
    "about": _ABOUT,  # what is limited
    "reached": _REACHED,
    "back": _BACK,  # when it is there again, as a number or a day
    "more": _MORE,  # what sells more
    "model": _MODEL,
    "gone": _GONE,
    "certain": _CERTAIN,  # needs nothing beside it
    "other": _OTHER,  # limits that no plan lifts: of a context, of the steps of one turn
    "steps": _STEPS,  # of one turn: those one may go on after
    "busy": _BUSY,
    "period": _PERIOD,
    "may": _MAY,
}
"""Patterns by name. Case does not count."""

_RULES = {name: re.compile(rule, re.IGNORECASE) for name, rule in LIMITS.items()}


def _has(name: str, text: str) -> bool:
    return _RULES[name].search(text) is not None


def is_limit(text: str, rules: Iterable[str] = ()) -> bool:
    """Whether a notice says that a limit of use is reached. `rules`: what its controls mean."""
    more = "upgrade" in rules or _has("more", text)
    bare = _RULES["other"].sub(" ", text)
    other = bare != text and not (more or _has("back", text) or _has("period", text))
    if _has("certain", text):
        return True
    about = _has("about", text if not other else bare)
    back = _has("back", text)
    if about and (back or more or _has("reached", text)):
        return True
    if back and more:
        return True
    gone = _has("gone", text) or _has("reached", text)
    return back and gone and _has("model", text) and not _has("busy", text)


def may_be_limit(text: str, rules: Iterable[str] = ()) -> bool:
    """Whether a notice may be about a limit: then nothing is tried again by itself."""
    rules = tuple(rules)
    if is_limit(text, rules) or "upgrade" in rules:
        return True
    bare = _RULES["steps"].sub(" ", text)
    return any(_has(name, bare) for name in ("about", "back", "more", "may"))
