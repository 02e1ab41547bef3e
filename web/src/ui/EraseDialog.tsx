// Before something is erased: what will go, in the server's own words, and a button that says it.
import { useEffect, useState } from "react";
import { remove } from "../api/client";
import { asRefused, type Refused } from "../api/problem";
import type { Receipt } from "../api/shapes";
import { Dialog } from "./Dialog";
import { counted } from "./numbers";
import { Skeleton } from "./Skeleton";

interface Props {
  /** "Erase this message?" */
  title: string;
  /** What a person knows it by. */
  name: string;
  /** The address that is asked with `preview=true`. */
  path: string;
  /** What can be done about it afterwards. */
  warning: string;
  onErase: () => void;
  onClose: () => void;
}

export function EraseDialog({ title, name, path, warning, onErase, onClose }: Props) {
  const [preview, setPreview] = useState<Receipt | null>(null);
  const [problem, setProblem] = useState<Refused | null>(null);
  useEffect(() => {
    let isWanted = true;
    remove<Receipt>(path, { preview: true }).then(
      (receipt) => isWanted && setPreview(receipt),
      (error) => isWanted && setProblem(asRefused(error)),
    );
    return () => {
      isWanted = false;
    };
  }, [path]);
  const erase = () => {
    onClose();
    onErase();
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            Keep it
          </button>
          {preview && (
            <button type="button" className="button danger" onClick={erase}>
              Erase {counted(preview.messages, "message")}
            </button>
          )}
        </>
      }
    >
      <p className="ui-dialog-subject">{name}</p>
      {problem && (
        <p role="alert">
          {problem.message} <span className="soft">{problem.remedy}</span>
        </p>
      )}
      {preview && <WhatGoes preview={preview} warning={warning} />}
      {!problem && !preview && <Skeleton lines={3} label="Counting what will go" />}
    </Dialog>
  );
}

function WhatGoes({ preview, warning }: { preview: Receipt; warning: string }) {
  return (
    <>
      <p>This will go:</p>
      <ul>
        {preview.erased.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {preview.remains.map((line) => (
        <p key={line} className="soft">
          {line}
        </p>
      ))}
      <p>{warning}</p>
    </>
  );
}
