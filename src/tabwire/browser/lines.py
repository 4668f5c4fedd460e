"""What a program writes -> lines, of each of which only the end is held."""

MAX_LINE = 8 << 10  # bytes: Chromium's longest is a few hundred; a flood must not fill memory


class Lines:
    """`feed(bytes) -> list of lines`, however the bytes were cut."""

    def __init__(self) -> None:
        self._rest = b""

    @property
    def held(self) -> int:
        """Bytes of a line that has not ended yet."""
        return len(self._rest)

    def feed(self, chunk: bytes) -> list[str]:
        """The lines that ended in this chunk."""
        *lines, rest = (self._rest + chunk).split(b"\n")
        self._rest = rest[-MAX_LINE:]
        return [line[-MAX_LINE:].decode(errors="replace").rstrip("\r") for line in lines]
