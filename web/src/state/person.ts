// Who is there, which models they may choose, and whether all is well.
import { get, post } from "../api/client";
import { asRefused } from "../api/problem";
import type { ChannelList, Me, ModelList, ServedHealth } from "../api/shapes";
import { forgetDrafts } from "./drafts";
import { signedOut } from "./line";
import { forgetNames } from "./renaming";
import { changeState, readState } from "./store";
import { notice } from "./trouble";
import { isPersonMet, meetPerson } from "./who";

const SOON = 15_000;
const LATER = 60_000;

/** Asks for something that is asked for again by itself: no answer is not told. */
async function quietly(ask: () => Promise<void>): Promise<void> {
  try {
    await ask();
  } catch (error) {
    if (asRefused(error).status === 401) signedOut();
  }
}

let asking: Promise<unknown> | null = null;

/** Asked for twice at once it is asked once. */
export async function refreshMe(): Promise<void> {
  asking ??= Promise.all([
    quietly(async () => meet(await get<Me>("/api/me"))),
    quietly(async () => changeState({ models: await get<ModelList>("/api/models") })),
  ]).finally(() => {
    asking = null;
  });
  await asking;
}

/** Somebody else who signs in here sees nothing of whoever was there before. */
function meet(me: Me): void {
  const before = readState().me;
  if (before && before.user !== me.user) location.assign("/");
  else {
    meetPerson();
    changeState({ me });
  }
}

export const refreshHealth = (): Promise<void> =>
  quietly(async () => changeState({ health: await get<ServedHealth>("/api/health") }));

export const refreshChannels = (): Promise<void> =>
  quietly(async () => {
    const { channels } = await get<ChannelList>("/api/channels");
    changeState({ channels });
  });

/** Looks at the health now and then, more often while something is wrong. Returns how to stop. */
export function watchHealth(): () => void {
  let timer: ReturnType<typeof setTimeout>;
  let isOver = false;
  const look = async (): Promise<void> => {
    if (!document.hidden && readState().connection.kind !== "signed-out") {
      await Promise.all([refreshHealth(), refreshChannels(), isPersonMet() ? null : refreshMe()]);
    }
    if (isOver) return;
    const isWell = isPersonMet() && readState().health?.status === "ok";
    timer = setTimeout(() => void look(), isWell ? LATER : SOON);
  };
  void look();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

export async function signOut(): Promise<void> {
  try {
    await post("/api/logout");
    forgetDrafts();
    forgetNames();
    location.assign("/login");
  } catch (error) {
    notice(error);
  }
}
