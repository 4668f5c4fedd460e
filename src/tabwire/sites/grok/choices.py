"""grok.com: what one can choose there, and how its names go together. Data only.

The menu offers modes (Auto, Fast, Expert, Heavy) beside models; the wire names the model.
Rows carry no attribute that is the same in all languages, so translations stand here.
"""

from tabwire.sites.choices import MEGABYTE, PROGRAMS, Choices, FileLimits, Models, Picker, Upload
from tabwire.sites.page import Selector

_AUTO = ("auto", "自動", "تلقائي", "自动")
_FAST = ("fast", "高速", "schnell", "rapide", "سريع", "快速")
_EXPERT = ("expert", "エキスパート", "experte", "خبير", "专家")
_HEAVY = ("heavy", "ヘビー", "الثقيل")

CHOICES = Choices(
    models=Models(
        called=(_AUTO, _FAST, _EXPERT, _HEAVY), modes=("auto", "fast", "expert", "heavy")
    ),
    pickers=(Picker("grok.com"),),
    uploads=(
        Upload(
            "grok.com",
            inputs=(
                Selector("input[type='file'][name='files']", "2026-04"),
                Selector("form input[type='file']", "2026-08"),
            ),
            area=(
                Selector("form:has(.query-bar)", "2026-04"),
                Selector(".query-bar", "2026-04"),
            ),
        ),
    ),
    # A public comparison of 2026-02 says 48 MB. How many at once is not said: as others take.
    limits=FileLimits(count=10, each_bytes=48 * MEGABYTE, refused=PROGRAMS),
)
