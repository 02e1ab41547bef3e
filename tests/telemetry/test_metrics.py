"""Metrics: what is counted, and that nothing in a label grows without bound."""

from __future__ import annotations

import pytest
from prometheus_client.parser import text_string_to_metric_families

from palaver.telemetry import Compressed, ContextLoaded, Digested, ModelAnswered, TurnEnded
from palaver.telemetry.metrics import Metrics

Samples = dict[tuple[str, tuple[str, ...]], float]


def samples(metrics: Metrics, jobs: dict[tuple[str, str], int] | None = None) -> Samples:
    """Every value, by its name and its labels."""
    text = metrics.shown(jobs or {}).decode()
    return {
        (one.name, tuple(one.labels.values())): one.value
        for family in text_string_to_metric_families(text)
        for one in family.samples
    }


def test_everything_that_is_told_is_counted():
    metrics = Metrics()
    metrics.tell(ContextLoaded("conv-1", 9, 5, 4, 700, {"state": 100, "history": 600}))
    metrics.tell(ContextLoaded("conv-2", 5, 5, 0, 90, {"history": 90}))
    metrics.tell(ModelAnswered("conv-1", "sonnet", "complete", 2.0, 0.25, 30, 1200, 80))
    metrics.tell(ModelAnswered("conv-1", "sonnet", "failed", 1.0, None, 0))
    metrics.tell(TurnEnded("conv-1", "complete", 2.5))
    metrics.tell(Digested("conv-1", "abbreviation", "sonnet", "kept", 1.5, 900, 40, 0.001))
    metrics.tell(Digested("conv-1", "title", "offline", "stood_in", 0.5, error_code="model_busy"))
    metrics.tell(Compressed("conv-1", "compression", "refused", 12, 5000, 400))
    metrics.request("GET", "/api/search", 200, 0.02)
    found = samples(metrics, {("embedding", "pending"): 3})
    assert found["palaver_context_packets_total", ()] == 2
    assert found["palaver_context_truncations_total", ()] == 1
    assert found["palaver_context_tokens_sum", ("history",)] == 690
    assert found["palaver_model_seconds_count", ("sonnet", "complete")] == 1
    assert found["palaver_model_seconds_sum", ("sonnet", "failed")] == 1
    assert found["palaver_model_first_delta_seconds_sum", ("sonnet",)] == 0.25
    assert found["palaver_model_first_delta_seconds_count", ("sonnet",)] == 1
    assert found["palaver_model_deltas_total", ("sonnet",)] == 30
    assert found["palaver_model_tokens_total", ("input", "sonnet")] == 2100
    assert found["palaver_digest_seconds_sum", ("sonnet", "kept", "abbreviation")] == 1.5
    assert found["palaver_digest_seconds_count", ("offline", "stood_in", "title")] == 1
    assert ("palaver_model_tokens_total", ("input", "offline")) not in found
    assert found["palaver_turns_total", ("complete",)] == 1
    assert found["palaver_turn_seconds_sum", ()] == 2.5
    assert found["palaver_compressions_total", ("compression", "refused")] == 1
    assert found["palaver_jobs", ("embedding", "pending")] == 3
    assert found["palaver_http_requests_total", ("GET", "/api/search", "200")] == 1
    assert found["palaver_http_request_seconds_sum", ("/api/search",)] == pytest.approx(0.02)
    assert ("palaver_jobs", ("embedding", "pending")) not in samples(metrics)  # it is done


def test_no_label_grows_without_bound_or_names_anybody():
    metrics = Metrics()
    for number in range(500):
        metrics.tell(ModelAnswered(f"conv-{number}", f"model-{number}", "complete", 1, 0.1, 1))
        metrics.request(f"METHOD{number}", "-", 405, 0.1)
    text = metrics.shown({}).decode()
    assert "conv-" not in text
    assert "METHOD" not in text
    models = {labels[0] for name, labels in samples(metrics) if name.endswith("deltas_total")}
    assert len(models) == 51
    assert "other" in models
