// A day's summary that is made again because somebody asked: until it is there, or too long.
import { useCallback, useEffect, useState } from "react";
import { post } from "../api/client";
import { asRefused, Refused } from "../api/problem";
import type { DayView } from "../api/shapes";
import { dayPath } from "./loading";

/** The server tells when it is there; that may be missed, so it is looked for, too. */
const LOOKS = 4_000;
const PATIENCE = 120_000;

const late = (): Refused =>
  new Refused("late", "The summary is not there yet.", "It may still come. You can ask again.");

interface Asked {
  day: string;
  /** When the summary was made that there was. */
  before: string | null;
}

export interface Making {
  isMaking: boolean;
  problem: Refused | null;
  regenerate: () => void;
}

export function useMaking({ day, updatedAt }: DayView, again: () => void): Making {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [failed, setFailed] = useState<{ day: string; problem: Refused } | null>(null);
  const isMaking = asked?.day === day && asked.before === updatedAt;

  const regenerate = useCallback(async () => {
    setAsked({ day, before: updatedAt });
    setFailed(null);
    try {
      await post(`${dayPath(day)}/summary`);
    } catch (error) {
      setAsked(null);
      setFailed({ day, problem: asRefused(error) });
    }
  }, [day, updatedAt]);

  useEffect(() => {
    if (!isMaking) return;
    const looking = setInterval(again, LOOKS);
    const ending = setTimeout(() => {
      setAsked(null);
      setFailed({ day, problem: late() });
    }, PATIENCE);
    return () => {
      clearInterval(looking);
      clearTimeout(ending);
    };
  }, [isMaking, day, again]);

  const problem = failed?.day === day && !isMaking ? failed.problem : null;
  return { isMaking, problem, regenerate };
}
