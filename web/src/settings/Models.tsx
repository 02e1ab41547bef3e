// The models that can answer: which is the usual one, and whether each of them does.
import { useState } from "react";
import { refreshMe } from "../state/actions";
import { useStore } from "../state/store";
import { useDoing } from "./asking";
import { Connecting } from "./Connecting";
import { choose } from "./choosing";
import { ModelRow } from "./ModelRow";
import { useMay } from "./may";
import { Section, Trouble } from "./Section";

export function Models() {
  const me = useStore((state) => state.me);
  const models = useStore((state) => state.models);
  const mayWrite = useMay("write");
  /** What was chosen, until the server has it. */
  const [wanted, setWanted] = useState<string | null>(null);
  const { isBusy, problem, run } = useDoing();
  if (!me || !models) return null;
  const take = async (model: string | null) => {
    setWanted(model);
    await run(async () => {
      await choose({ model });
      await refreshMe();
    });
    setWanted(null);
  };
  const hasConnected = models.models.some((one) => one.kind === "connected" && one.connected);
  return (
    <Section title="Models">
      <p className="soft">
        The usual model answers in every conversation that has none of its own.
        {!hasConnected &&
          " None is connected: the offline assistant answers, and nothing is sent anywhere."}
      </p>
      <fieldset className="settings-list" disabled={isBusy}>
        <legend className="only-heard">Usual model</legend>
        {models.models.map((one) => (
          <ModelRow
            key={one.name}
            model={one}
            isUsual={one.name === (wanted ?? models.usual)}
            mayChoose={mayWrite && one.connected}
            onChoose={() => void take(one.name)}
          />
        ))}
      </fieldset>
      {me.chosen.includes("model") && mayWrite && (
        <button type="button" className="button" disabled={isBusy} onClick={() => void take(null)}>
          Use the default model
        </button>
      )}
      <Trouble problem={problem} />
      <Connecting isOpen={!hasConnected} />
    </Section>
  );
}
