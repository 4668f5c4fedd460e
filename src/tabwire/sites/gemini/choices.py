"""gemini.google.com: what one can choose there, and how its names go together. Data only.

The menu offers modes, and the wire names the model behind one ("3 Pro"). A row's attribute
is in English on most pages and was seen translated on some, so names in the page's language
count as well.
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

_FAST = ("fast", "flash", "高速モード", "schnell", "rapide", "سريع", "快速")
_THINKING = ("thinking", "思考モード", "raisonnement", "تفكير", "思考")
_VIDEOS = (".mp4", ".mov", ".mpeg", ".mpg", ".avi", ".webm", ".wmv", ".3gp", ".flv")

CHOICES = Choices(
    temporary=(Selector('[data-test-id="temp-chat-button"]', "2026-11", "not seen on a page"),),
    temporary_behind=(
        Selector("side-nav-menu-button button", "2026-04"),
        Selector('button[data-test-id="side-nav-menu-button"]', "2026-08"),
    ),
    models=Models(called=(_FAST, _THINKING), modes=("fast", "thinking", "pro")),
    pickers=(
        Picker(
            "app",
            options=(Selector('[data-test-id^="bard-mode-option-"]', "2026-08"),),
            prefixes=("bard-mode-option-",),
        ),
    ),
    uploads=(
        Upload(
            "app",
            inputs=(
                Selector('images-files-uploader input[type="file"]', "2026-10"),
                Selector('uploader input[type="file"]:not([accept])', "2026-10"),
            ),
            button=(
                Selector("button.upload-card-button", "2026-04"),
                Selector('button[aria-label="Upload & tools"]', "2026-08", "English"),
            ),
            row=(
                Selector('[data-test-id="local-images-files-uploader-button"]', "2026-10"),
                Selector('[data-test-id="uploader-images-files-button-advanced"]', "2026-08"),
                Selector('[data-test-id="local-images-files-uploader-files"]', "2026-08"),
            ),
            area=(
                Selector("input-area-v2", "2026-08"),
                Selector("input-container", "2026-10"),
                Selector(".input-area-container", "2026-04"),
            ),
            chips=(
                Selector("uploader-file-preview", "2026-10"),
                Selector(".file-preview-chip", "2026-04"),
                Selector("gem-media-attachment", "2026-10"),
            ),
        ),
    ),
    # A public comparison of 2025-08 says ten files of up to 100 MB. That videos may have 2 GB
    # we have not seen ourselves: where a site takes less than we think, it says so.
    limits=FileLimits(
        count=10,
        each_bytes=100 * MEGABYTE,
        by_ending=((_VIDEOS, 2000 * MEGABYTE), (IMAGES, 100 * MEGABYTE)),
        refused=PROGRAMS,
    ),
)
