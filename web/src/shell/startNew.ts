import { useLocation } from "wouter";

/** Where a new conversation is begun. It is kept by the server with its first message. */
export const NEW = "/?new";

/** Goes there. */
export function useStartNew(): () => void {
  const [, go] = useLocation();
  return () => go(NEW);
}
