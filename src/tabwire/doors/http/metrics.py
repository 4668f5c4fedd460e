"""/metrics: what Prometheus reads. Numbers only; no prompt, no address, no name of an agent."""

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from tabwire import __version__
from tabwire.doors.http.access import App, Message, Receive, Refused, Scope, Send
from tabwire.hub import ServedHub
from tabwire.model.job import JobState

if TYPE_CHECKING:
    from prometheus_client.core import Metric

METHODS = frozenset({"GET", "HEAD", "POST", "DELETE", "OPTIONS"})
MAX_COUNTED = 500  # jobs under way that are counted


@dataclass(slots=True)
class Answers:
    """How many requests were answered, by method and status."""

    counts: Counter[tuple[str, int]] = field(default_factory=Counter)

    def counted(self, app: App) -> App:
        """The same app, with every answer counted."""

        async def counting(scope: Scope, receive: Receive, send: Send) -> None:
            async def sent(message: Message) -> None:
                if message["type"] == "http.response.start":
                    method = scope["method"] if scope["method"] in METHODS else "other"
                    self.counts[method, message["status"]] += 1
                await send(message)

            await app(scope, receive, sent if scope["type"] == "http" else send)

        return counting


@dataclass(frozen=True, slots=True)
class Metrics:
    """Gathered when somebody asks."""

    hub: ServedHub
    refused: Refused
    answers: Answers

    async def __call__(self, _request: Request) -> Response:
        """The text Prometheus reads."""
        from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
        from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

        working = await self.hub.jobs.recent(MAX_COUNTED, states=(JobState.WORKING,))
        sites = Counter(one.request.site for one in working)
        registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        registry.register(_Now(list(self._families(sites))))
        return Response(generate_latest(registry), media_type=CONTENT_TYPE_PLAIN_0_0_4)

    def _families(self, sites: Counter[str]) -> Iterator["Metric"]:
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

        about = GaugeMetricFamily("tabwire_info", "The running version.", labels=["version"])
        about.add_metric([__version__], 1)
        yield about
        since = time.time() - self.hub.started_at
        yield GaugeMetricFamily("tabwire_uptime_seconds", "Since the hub started.", since)
        guests = self.hub.guests.count
        yield GaugeMetricFamily("tabwire_guests", "Clients that are connected.", guests)
        jobs = GaugeMetricFamily("tabwire_jobs_working", "Jobs in progress.", labels=["site"])
        for site, count in sites.items():
            jobs.add_metric([site], count)
        yield jobs
        answered = CounterMetricFamily(
            "tabwire_http_answers", "Requests that were answered.", labels=["method", "status"]
        )
        for (method, status), count in self.answers.counts.items():
            answered.add_metric([method, str(status)], count)
        yield answered
        refused = CounterMetricFamily(
            "tabwire_http_refused", "Requests that access control refused.", labels=["why"]
        )
        for why, count in self.refused.counts.items():
            refused.add_metric([why], count)
        yield refused


@dataclass(frozen=True, slots=True, eq=False)
class _Now:
    """What the library calls a collector."""

    families: list["Metric"]

    def collect(self) -> Iterator["Metric"]:
        """All of it."""
        yield from self.families
