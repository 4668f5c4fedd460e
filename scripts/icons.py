"""Draw the extension's icons: a tab with a wire leaving it. Run again only to change them."""

import struct
import zlib
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "extension" / "icons"
SIZES = (16, 32, 48, 128)
SAMPLES = 4  # each way in a pixel, for smooth edges
INK = (0x1F, 0x6F, 0x8B)
LIGHT = (0xF4, 0xF1, 0xE8)

Colour = tuple[int, int, int, int]


def colour_at(x: float, y: float) -> Colour:
    """What is at a place of the unit square."""
    if not _in_round(x, y, 0.04, 0.04, 0.96, 0.96, 0.2):
        return (0, 0, 0, 0)
    tab = _in_round(x, y, 0.18, 0.2, 0.62, 0.5, 0.09) and y < 0.46
    sheet = _in_round(x, y, 0.18, 0.36, 0.82, 0.66, 0.07)
    wire = abs(x - 0.5) < 0.045 and 0.6 < y < 0.8
    plug = (x - 0.5) ** 2 + (y - 0.82) ** 2 < 0.075**2
    return (*(LIGHT if tab or sheet or wire or plug else INK), 255)


def _in_round(
    x: float, y: float, left: float, top: float, right: float, bottom: float, radius: float
) -> bool:
    if not (left <= x <= right and top <= y <= bottom):
        return False
    near_x = min(max(x, left + radius), right - radius)
    near_y = min(max(y, top + radius), bottom - radius)
    return (x - near_x) ** 2 + (y - near_y) ** 2 <= radius**2


def png(size: int) -> bytes:
    """One icon."""
    rows = b"".join(b"\0" + b"".join(_pixel(x, y, size) for x in range(size)) for y in range(size))
    head = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    chunks = [(b"IHDR", head), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )


def _pixel(x: int, y: int, size: int) -> bytes:
    steps = [(step + 0.5) / SAMPLES for step in range(SAMPLES)]
    found = [colour_at((x + i) / size, (y + j) / size) for i in steps for j in steps]
    seen = [one for one in found if one[3]]
    if not seen:
        return bytes(4)
    mixed = [sum(one[part] for one in seen) // len(seen) for part in range(3)]
    return bytes([*mixed, 255 * len(seen) // len(found)])


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for each in SIZES:
        (FOLDER / f"{each}.png").write_bytes(png(each))
