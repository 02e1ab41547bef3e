// The continuous conversation has a page for every day: what leads to it leads to the day.
import { useEffect } from "react";
import { useLocation } from "wouter";
import { dayAddress, TODAY } from "../continuous/address";
import { dayOfMessage } from "../continuous/locate";
import { useStore } from "../state/store";

/** Goes to the day of the message, or to today, if the conversation is that one. Whether it is. */
export function useContinuous(id: string | null, messageId: string | null): boolean {
  const [, navigate] = useLocation();
  const isContinuous = useStore(
    ({ conversations }) => id !== null && conversations[id]?.mode === "continuous",
  );
  useEffect(() => {
    if (!isContinuous) return;
    let isHere = true;
    const leave = (address: string) => isHere && navigate(address, { replace: true });
    if (messageId === null) leave(TODAY);
    else {
      dayOfMessage(messageId).then(
        (day) => leave(day === null ? TODAY : dayAddress(day, messageId)),
        () => leave(TODAY),
      );
    }
    return () => {
      isHere = false;
    };
  }, [isContinuous, messageId, navigate]);
  return isContinuous;
}
