"""Metrics for Prometheus: how often, how long, how much. Labels are few and never name anybody."""

from __future__ import annotations

from collections.abc import Mapping

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)

from palaver.telemetry.port import (
    Compressed,
    ContextLoaded,
    Digested,
    Event,
    ModelAnswered,
    Started,
    TurnEnded,
)

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_TOKENS = (50, 100, 250, 500, 1000, 2000, 4000, 8000, 16000, 64000)
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180)
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_MODELS = 50
_OTHER = "other"


class Metrics:
    """Counts everything that is told. One for each process that serves."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self._models: set[str] = set()
        self._turns = Counter(
            "palaver_turns", "Messages that were answered, or not.", ["outcome"], registry=registry
        )
        self._turn_seconds = _seconds("palaver_turn", "How long a turn took.", registry)
        self._tokens = Histogram(
            "palaver_context_tokens",
            "Tokens of each section of a packet.",
            ["section"],
            buckets=_TOKENS,
            registry=registry,
        )
        self._packets = Counter(
            "palaver_context_packets", "Packets that were made for a model.", registry=registry
        )
        self._truncations = Counter(
            "palaver_context_truncations",
            "Packets in which messages are missing.",
            registry=registry,
        )
        self._model = _seconds(
            "palaver_model", "How long a model took.", registry, "model", "outcome"
        )
        self._first = _seconds(
            "palaver_model_first_delta", "How long its first words took.", registry, "model"
        )
        self._deltas = Counter(
            "palaver_model_deltas", "Pieces in which replies came.", ["model"], registry=registry
        )
        self._model_tokens = Counter(
            "palaver_model_tokens",
            "Tokens that a model counted.",
            ["model", "direction"],
            registry=registry,
        )
        self._compressions = Counter(
            "palaver_compressions",
            "Older turns that became a summary.",
            ["kind", "outcome"],
            registry=registry,
        )
        self._digests = _seconds(
            "palaver_digest",
            "How long it took to abbreviate or name a conversation.",
            registry,
            "what",
            "by",
            "outcome",
        )
        self._jobs = Gauge(
            "palaver_jobs", "Background jobs that are due.", ["kind", "state"], registry=registry
        )
        self._requests = Counter(
            "palaver_http_requests",
            "Requests that were answered.",
            ["method", "route", "status"],
            registry=registry,
        )
        self._open = Gauge("palaver_open", "Sockets and streams that are open.", registry=registry)
        self._limits = Counter(
            "palaver_limits_reached",
            "What was refused because one user did too much.",
            ["kind"],
            registry=registry,
        )
        self._request_seconds = _seconds(
            "palaver_http_request", "How long an answer took.", registry, "route"
        )

    def tell(self, event: Event) -> None:
        match event:
            case ContextLoaded():
                self._loaded(event)
            case ModelAnswered():
                self._answered(event)
            case TurnEnded():
                self._turns.labels(event.outcome).inc()
                self._turn_seconds.observe(event.seconds)
            case Compressed():
                self._compressions.labels(event.kind, event.outcome).inc()
            case Digested():
                self._digested(event)
            case Started():
                pass  # it happens once

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """A request was answered; `route` is the pattern of its path."""
        known = method if method in _METHODS else _OTHER
        self._requests.labels(known, route, str(status)).inc()
        self._request_seconds.labels(route).observe(seconds)

    def limit_reached(self, kind: str) -> None:
        """Somebody was refused, because of this they have had enough."""
        self._limits.labels(kind).inc()

    def shown(self, jobs: Mapping[tuple[str, str], int], *, open_now: int = 0) -> bytes:
        """Everything, as Prometheus reads it; `jobs` says how many are due, by kind and state, and
        `open_now` how many sockets and streams there are."""
        self._open.set(open_now)
        self._jobs.clear()
        for (kind, state), count in jobs.items():
            self._jobs.labels(kind, state).set(count)
        return generate_latest(self._registry)

    def _loaded(self, event: ContextLoaded) -> None:
        self._packets.inc()
        if event.messages_truncated:
            self._truncations.inc()
        for section, tokens in event.tokens_by_section.items():
            self._tokens.labels(section).observe(tokens)

    def _answered(self, event: ModelAnswered) -> None:
        model = self._named(event.model)
        self._model.labels(model, event.outcome).observe(event.seconds)
        if event.first_delta_seconds is not None:
            self._first.labels(model).observe(event.first_delta_seconds)
        self._deltas.labels(model).inc(event.deltas)
        self._spent(model, event)

    def _digested(self, event: Digested) -> None:
        by = self._named(event.by)
        self._digests.labels(event.what, by, event.outcome).observe(event.seconds)
        if event.input_tokens or event.output_tokens:
            self._spent(by, event)

    def _spent(self, model: str, event: ModelAnswered | Digested) -> None:
        self._model_tokens.labels(model, "input").inc(event.input_tokens)
        self._model_tokens.labels(model, "output").inc(event.output_tokens)

    def _named(self, model: str) -> str:
        """The name of a model, unless there are too many already."""
        if model not in self._models and len(self._models) >= _MODELS:
            return _OTHER
        self._models.add(model)
        return model


def _seconds(name: str, about: str, registry: CollectorRegistry, *labels: str) -> Histogram:
    return Histogram(f"{name}_seconds", about, labels, buckets=_SECONDS, registry=registry)
