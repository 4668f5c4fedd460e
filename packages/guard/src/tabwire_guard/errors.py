"""What stops the guard from judging: what happened, and what to do."""


class GuardError(Exception):
    """Two facts: what happened (`str`), and what to do. Nobody may take it for an `allow`."""

    exit_code = 1

    def __init__(self, what: str, what_to_do: str) -> None:
        super().__init__(what)
        self.what_to_do = what_to_do


class BadInput(GuardError):
    """An invalid argument or input file."""

    exit_code = 2


class BadSetting(GuardError):
    """An invalid rule file or home folder. `name` is how it is written where it stands."""

    exit_code = 2

    def __init__(self, name: str, value: str, why: str, what_to_do: str) -> None:
        super().__init__(f"{name}: {value!r} {why}", what_to_do)
        self.name, self.value, self.why = name, value, why
