import { useState } from "react";
import { post } from "../api/client";
import type { ModelInfo, ModelTest } from "../api/shapes";
import { lasting } from "../ui/times";
import { useMay } from "./may";
import { failed, Outcome, type Tried, tryOut } from "./Trying";

interface Props {
  model: ModelInfo;
  isUsual: boolean;
  mayChoose: boolean;
  onChoose: () => void;
}

export function ModelRow({ model, isUsual, mayChoose, onChoose }: Props) {
  const [tried, setTried] = useState<Tried | null>(null);
  const mayTry = useMay("chat");
  const test = async () => {
    setTried("trying");
    setTried(await answers(model.name));
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
      <Outcome asking={`Asking ${model.name} for one word…`} tried={tried} />
    </div>
  );
}

const answers = (name: string): Promise<Tried> =>
  tryOut(async () => {
    const { ok, latencyMs, problem } = await post<ModelTest>("/api/models/test", { name });
    if (ok) return { ok, text: `It answers, after ${lasting(latencyMs ?? 0)}.` };
    return failed(problem?.message ?? "It did not answer.", problem?.remedy);
  });

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
