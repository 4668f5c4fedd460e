"""chatgpt.com: what one can choose there, and how its names go together. Data only.

The page calls a family and an effort by names of their own; the wire joins both into one
(`gpt-5-6-thinking`, `gpt-5-6-pro`). Names of efforts are those of the page in six languages,
those of the button's attribute, and those of the request (`thinking_effort`).
"""

from tabwire.sites.choices import (
    IMAGES,
    MEGABYTE,
    PROGRAMS,
    Choices,
    FileLimits,
    Models,
    Picker,
    Upload,
)
from tabwire.sites.page import Selector

_SEEN = "2026-09"
_SHEETS = (".csv", ".tsv", ".xls", ".xlsx")

_INSTANT = ("instant", "min", "minimal", "none", "即時", "sofort", "instantané", "فوري", "即时")
_MEDIUM = ("medium", "standard", "標準", "mittel", "moyen", "متوسط", "中", "标准")
_HIGH = ("high", "extended", "高", "hoch", "élevé", "عالٍ")
_EXTRA = (
    "extra",
    "extra high",
    "xhigh",
    "max",
    "最高",
    "sehr hoch",
    "très élevé",
    "عالٍ جدًا",
    "极高",
)

MODELS = Models(
    called=(
        ("GPT-5.6 Sol", "5.6 sol", "sol", "gpt-5-6-thinking"),  # public notes, 2026-10
        _INSTANT,
        _MEDIUM,
        _HIGH,
        _EXTRA,
        ("light", "low"),
    ),
    effort_words=("instant", "thinking", "pro"),
)

_EFFORTS = ("instant", "medium", "high", "extra", "pro")

PICKERS = (
    Picker(
        "turn_key",
        more=(
            Selector(
                '[data-testid="composer-model-picker-slider-simple-view"] '
                '[role="menuitem"]:not(:has([role="slider"]), [aria-label="Power"])',
                _SEEN,
                "the compact view hides both menus; its slider row does not lead to them",
            ),
            Selector('[role="menuitem"][aria-label="Show advanced options"]', _SEEN, "English"),
        ),
        efforts=_EFFORTS,
        effort_attribute="data-selected-reasoning-effort",
    ),
    Picker(
        "classic",
        options=(
            Selector(
                '[data-testid^="model-switcher-"]:not([data-testid$="-button"])', "2026-08-14"
            ),
        ),
        prefixes=("model-switcher-",),
        efforts=_EFFORTS,
    ),
)

_CHIPS = (
    Selector(
        '[role="group"][aria-label]:has(button[aria-label^="Remove file"])',
        _SEEN,
        "English; its label is the file's name, by which it is known in other languages",
    ),
    Selector('[class*="file-tile"]', _SEEN),
)

UPLOADS = (
    Upload(
        "turn_key",
        inputs=(
            Selector('form[data-chatgpt-composer] input[type="file"]:not([accept])', _SEEN),
            Selector('form[data-chatgpt-composer] input[type="file"]', _SEEN),
        ),
        area=(Selector("form[data-chatgpt-composer]", _SEEN),),
        chips=_CHIPS,
    ),
    Upload(
        "octane",
        inputs=(Selector("#octane-mobile-composer-files-input", "2026-10-03"),),
        area=(Selector("form[data-logged-out]", "2026-10-03"),),
        chips=_CHIPS,
    ),
    Upload(
        "classic",
        inputs=(
            Selector("input#upload-files", "2026-04"),
            Selector('form input[type="file"]:not([accept])', "2026-04"),
            Selector('form input[type="file"]', "2026-04"),
        ),
        area=(Selector('form[data-type="unified-composer"]', "2026-04"),),
        chips=_CHIPS,
    ),
)

CHOICES = Choices(
    models=MODELS,
    pickers=PICKERS,
    uploads=UPLOADS,
    # help.openai.com/en/articles/8983719: 512 MB, images 20, sheets about 50. How many at once
    # is not said there; 20 were reported in 2026-02.
    limits=FileLimits(
        count=20,
        each_bytes=512 * MEGABYTE,
        by_ending=((IMAGES, 20 * MEGABYTE), (_SHEETS, 50 * MEGABYTE)),
        refused=PROGRAMS,
    ),
)
