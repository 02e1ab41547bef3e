// A new token: the one time that it is shown.
import { useEffect, useRef, useState } from "react";
import type { NewTokenView } from "../api/shapes";

export function ShownToken({ made, onDone }: { made: NewTokenView; onDone: () => void }) {
  const [isCopied, setCopied] = useState<boolean | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
  }, []);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(made.token);
      setCopied(true);
    } catch {
      // No permission, or not a secure address: it is marked, so that the keys copy it.
      field.current?.select();
      setCopied(false);
    }
  };
  return (
    <div className="settings-shown">
      <p>
        <strong>{made.name}</strong> is ready. Copy it now: it is not shown again.
      </p>
      <div className="settings-row">
        <input
          ref={field}
          className="field settings-wide settings-secret"
          aria-label="The token"
          readOnly
          value={made.token}
          onFocus={(event) => event.target.select()}
        />
        <button type="button" className="button primary" onClick={() => void copy()}>
          Copy
        </button>
        <button type="button" className="button" onClick={onDone}>
          Done
        </button>
      </div>
      <p role="status" className="soft">
        {isCopied === true && "Copied."}
        {isCopied === false && "It is marked: copy it with the keyboard."}
      </p>
    </div>
  );
}
