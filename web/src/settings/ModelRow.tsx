import { useState } from "react";
import { post } from "../api/client";
import { asRefused } from "../api/problem";
import type { ModelInfo, ModelTest } from "../api/shapes";
import { lasting } from "../ui/times";
import { useMay } from "./may";

interface Props {
  model: ModelInfo;
  isUsual: boolean;
  mayChoose: boolean;
  onChoose: () => void;
}

/** How a try came out. */
type Tried = "trying" | { ok: true; text: string } | { ok: false; text: string; remedy: string };

export function ModelRow({ model, isUsual, mayChoose, onChoose }: Props) {
  const [tried, setTried] = useState<Tried | null>(null);
  const mayTry = useMay("chat");
  const test = async () => {
    setTried("trying");
    setTried(await tryOut(model.name));
  };
  return (
    <div className="settings-item">
      <label className="settings-choice">
        <input
          type="radio"
          name="model"
          checked={isUsual}
          disabled={!mayChoose && !isUsual}
          onChange={onChoose}
        />
        <span>
          <strong>{model.name}</strong>
          {isUsual && <span className="settings-tag">usual</span>}
          {!model.connected && <span className="settings-tag quiet">not connected</span>}
          <span className="settings-detail">{about(model)}</span>
        </span>
      </label>
      {mayTry && (
        <button
          type="button"
          className="button"
          aria-label={`Test ${model.name}`}
          disabled={tried === "trying"}
          onClick={() => void test()}
        >
          Test
        </button>
      )}
      <div className="settings-result" role="status">
        <Outcome name={model.name} tried={tried} />
      </div>
    </div>
  );
}

function Outcome({ name, tried }: { name: string; tried: Tried | null }) {
  if (tried === null) return null;
  if (tried === "trying") return <span className="soft">Asking {name} for one word…</span>;
  if (tried.ok) return <span className="settings-good">{tried.text}</span>;
  return (
    <span className="settings-bad">
      {tried.text} {tried.remedy}
    </span>
  );
}

async function tryOut(name: string): Promise<Tried> {
  try {
    const { ok, latencyMs, problem } = await post<ModelTest>("/api/models/test", { name });
    if (ok) return { ok, text: `It answers, after ${lasting(latencyMs ?? 0)}.` };
    return {
      ok,
      text: problem?.message ?? "It did not answer.",
      remedy: plain(problem?.remedy ?? ""),
    };
  } catch (error) {
    const { message, remedy } = asRefused(error);
    return { ok: false, text: message, remedy: plain(remedy) };
  }
}

/** Remedies mark the names of settings as Markdown does. */
const plain = (text: string): string => text.replaceAll("`", "");

function about({ kind, model, provider, inputPrice, outputPrice }: ModelInfo): string {
  if (kind === "offline") return "Quotes what was said before. Needs no network, costs nothing.";
  const cost =
    inputPrice === null || outputPrice === null
      ? "price not known"
      : `${price(inputPrice)} read, ${price(outputPrice)} written for a million tokens`;
  return `${model} of ${provider} · ${cost}`;
}

/** "$2", "$0.10" */
const price = (value: number): string => `$${Number.isInteger(value) ? value : value.toFixed(2)}`;
