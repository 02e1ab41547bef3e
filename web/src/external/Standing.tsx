// How somebody is treated: what holds now, and a form in which each choice says what it does.
import { type ReactNode, useId, useState } from "react";
import { useDoing } from "../settings/asking";
import { useMay } from "../settings/may";
import { Trouble } from "../ui/Trouble";
import { Visible } from "../ui/Visible";
import { change } from "./deeds";
import {
  type Change,
  type External,
  POLICIES,
  type Policy,
  TIERS,
  type Trust as Tier,
} from "./shapes";
import { Trust } from "./Trust";
import { POLICY, policyOf, type Told, TRUST } from "./words";

/** As many characters as the server takes. */
const LONGEST = 4_000;

/** Whether a model writes, and is told what they may ask for. */
const writes = (policy: Policy): boolean => policy === "answer" || policy === "draft";

export function Standing({ external }: { external: External }) {
  const [isChanging, setChanging] = useState(false);
  const mayChange = useMay("write");
  const heading = useId();
  const { trust, policy, scope, decided } = external;
  return (
    <section className="ext-standing" aria-labelledby={heading}>
      <h2 id={heading}>When they write</h2>
      {isChanging ? (
        <Form external={external} onDone={() => setChanging(false)} />
      ) : (
        <>
          <p>
            <Trust trust={trust} /> {policyOf(policy).does}
          </p>
          {scope.trim() && writes(policy) && (
            <p className="ext-scope">
              <span className="soft">They may be told and ask for: </span>
              <bdi>
                <Visible text={scope} />
              </bdi>
            </p>
          )}
          <p className="ext-deeds">
            {mayChange && (
              <button type="button" className="button" onClick={() => setChanging(true)}>
                Change…
              </button>
            )}
            <span className="ext-hint soft">
              {decided.length === 0 ? "As your settings say." : "As you have decided."}
            </span>
          </p>
        </>
      )}
    </section>
  );
}

/** Only what was changed; what goes together is said together. */
export function changesOf(
  external: External,
  wanted: { trust: Tier; policy: Policy; scope: string },
): Change {
  const { trust, policy, scope } = wanted;
  const isOther = trust !== external.trust || policy !== external.policy;
  return {
    ...(isOther ? { trust, policy } : {}),
    ...(scope === external.scope ? {} : { scope }),
  };
}

function Form({ external, onDone }: { external: External; onDone: () => void }) {
  const [trust, setTrust] = useState<Tier>(external.trust);
  const [policy, setPolicy] = useState<Policy>(external.policy);
  const [scope, setScope] = useState(external.scope);
  const { isBusy, problem, run } = useDoing();
  const hint = useId();
  const tell = async (body: Change) => {
    if (isBusy) return;
    const isDone = await run(async () => {
      if (Object.keys(body).length > 0) await change(external.id, body);
    });
    if (isDone) onDone();
  };
  const chooseTrust = (tier: Tier) => {
    setTrust(tier);
    if (tier === "untrusted" && policy === "answer") setPolicy("draft");
  };
  return (
    <form
      className="ext-form"
      aria-label="How they are treated"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        onDone();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        void tell(changesOf(external, { trust, policy, scope: scope.trim() }));
      }}
    >
      <Choices legend="How far do you trust them?">
        {TIERS.map((one) => (
          <Choice
            key={one}
            name="trust"
            told={TRUST[one]}
            isChosen={trust === one}
            onChoose={() => chooseTrust(one)}
          />
        ))}
      </Choices>
      <Choices legend="What is done when they write?">
        {POLICIES.map((one) => (
          <Choice
            key={one}
            name="policy"
            told={POLICY[one]}
            isChosen={policy === one}
            isBarred={one === "answer" && trust !== "known"}
            barred="Only for those who are known."
            onChoose={() => setPolicy(one)}
          />
        ))}
      </Choices>
      {writes(policy) && (
        <label className="ext-field">
          <span>What they may be told and ask for</span>
          <textarea
            className="field ext-area"
            dir="auto"
            rows={3}
            maxLength={LONGEST}
            placeholder="Opening hours, and when I am free next week."
            aria-describedby={hint}
            value={scope}
            onChange={(event) => setScope(event.target.value)}
          />
          <span id={hint} className="soft">
            A model that writes to them knows this text and this exchange. It has no memories, no
            tools and no other conversation.
          </span>
        </label>
      )}
      <Trouble problem={problem} />
      <div className="ext-deeds">
        <button type="submit" className="button primary" disabled={isBusy}>
          Save
        </button>
        <button type="button" className="button" onClick={onDone}>
          Cancel
        </button>
        {external.decided.length > 0 && (
          <button
            type="button"
            className="button quiet"
            disabled={isBusy}
            onClick={() => void tell({ trust: null, policy: null, scope: null })}
          >
            Follow the settings again
          </button>
        )}
      </div>
    </form>
  );
}

const Choices = ({ legend, children }: { legend: string; children: ReactNode }) => (
  <fieldset className="ext-choices">
    <legend>{legend}</legend>
    {children}
  </fieldset>
);

interface ChoiceProps {
  name: string;
  told: Told;
  isChosen: boolean;
  isBarred?: boolean;
  barred?: string;
  onChoose: () => void;
}

function Choice({ name, told, isChosen, isBarred = false, barred, onChoose }: ChoiceProps) {
  const about = useId();
  return (
    <div className="ext-choice">
      <label>
        <input
          type="radio"
          name={name}
          checked={isChosen}
          disabled={isBarred}
          aria-describedby={about}
          onChange={onChoose}
        />
        <strong>{told.name}</strong>
      </label>
      <span id={about} className="soft">
        {told.about} {isBarred && barred}
      </span>
    </div>
  );
}
