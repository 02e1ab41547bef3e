// Trying something out at the press of a button, and how that came out.
import { asRefused } from "../api/problem";

export type Tried =
  | "trying"
  | { ok: true; text: string }
  | { ok: false; text: string; remedy: string };

/** What `ask` says, or why it could not be asked. */
export async function tryOut(ask: () => Promise<Tried>): Promise<Tried> {
  try {
    return await ask();
  } catch (error) {
    const { message, remedy } = asRefused(error);
    return failed(message, remedy);
  }
}

/** Remedies mark the names of settings as Markdown does. */
export const failed = (text: string, remedy: string | null | undefined): Tried => ({
  ok: false,
  text,
  remedy: (remedy ?? "").replaceAll("`", ""),
});

/** `asking` is told meanwhile. */
export function Outcome({ asking, tried }: { asking: string; tried: Tried | null }) {
  return (
    <div className="settings-result" role="status">
      {tried === "trying" && <span className="soft">{asking}</span>}
      {tried !== null && tried !== "trying" && (
        <span className={tried.ok ? "settings-good" : "settings-bad"}>
          {tried.text} {!tried.ok && tried.remedy}
        </span>
      )}
    </div>
  );
}
