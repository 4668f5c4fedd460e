"""What is kept of an agent: where it goes on at each site. Data only.

An agent is one of several programs that ask through the same hub, each in chats of its own.
Times are seconds since 1970.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Chat:
    """Where an agent goes on at a site."""

    site: str
    conversation_id: str | None
    url: str
    tab: str | None  # the target of the tab, while its browser lives
    last_used: float  # 0 where an imported file did not say
    lab: bool = False  # whether the site was the lab's stand-in


@dataclass(frozen=True, slots=True)
class Session:
    """One agent."""

    agent: str
    last_access: float
    project: str
    client: str
    chats: tuple[Chat, ...]

    def chat(self, site: str) -> Chat | None:
        """Its chat at a site itself; those of the lab are passed over."""
        return self.chat_in(site, lab=False)

    def chat_in(self, site: str, *, lab: bool) -> Chat | None:
        """Its chat at a site, or at the lab's stand-in of it."""
        return next((one for one in self.chats if (one.site, one.lab) == (site, lab)), None)
