// How far a reply has come that is sent to a channel, and what to do when it did not arrive.
import { useState } from "react";
import { post } from "../api/client";
import type { DeliveryStatus, Message } from "../api/shapes";
import { useDoing } from "../settings/asking";
import { useMay } from "../settings/may";
import { Icon } from "../ui/Icon";
import { useMinute, useZone } from "../ui/Time";
import { clockTime, fullTime, said } from "../ui/times";
import { Visible } from "../ui/Visible";

const WORDS = {
  waiting: "Waiting to be sent",
  sending: "Being sent",
  sent: "Sent",
  delivered: "Delivered",
  read: "Read",
} as const;

type Newer = { of: DeliveryStatus; is: DeliveryStatus };

/** `onAgain` is told when it is sent again. */
export function Delivery({ message, onAgain }: { message: Message; onAgain?: () => void }) {
  // What was answered here, until something else is told.
  const [newer, setNewer] = useState<Newer | null>(null);
  const { isBusy, problem, run } = useDoing();
  const mayWrite = useMay("write");
  const told = message.delivery;
  if (!told) return null;
  const delivery = newer?.of === told ? newer.is : told;
  if (delivery.state !== "failed") return <Way delivery={delivery} />;
  const again = () =>
    run(async () => {
      const path = `/api/deliveries/${encodeURIComponent(message.id)}`;
      setNewer({ of: told, is: await post<DeliveryStatus>(path) });
      onAgain?.();
    });
  return (
    <div className="talk-way wrong">
      <p role={problem ? "alert" : undefined}>
        <strong>Not delivered.</strong> <Visible text={delivery.message ?? ""} />{" "}
        <span className="soft">
          <Visible text={delivery.remedy ?? ""} />
        </span>
        {problem && ` ${problem.message} ${problem.remedy}`}
      </p>
      {mayWrite && (
        <button type="button" className="button" disabled={isBusy} onClick={() => void again()}>
          Send again
        </button>
      )}
    </div>
  );
}

function Way({ delivery }: { delivery: DeliveryStatus }) {
  const zone = useZone();
  const now = useMinute();
  const { state, updated, message, after } = delivery;
  const word = Object.hasOwn(WORDS, state) ? WORDS[state as keyof typeof WORDS] : state;
  const hasArrived = state === "delivered" || state === "read";
  return (
    <p className="talk-delivery" data-state={state} title={`${word} ${said(updated, now, zone)}`}>
      <Icon name={hasArrived ? "check" : state === "sent" ? "arrow-up" : "clock"} size={13} />
      <span>
        {word}
        {state === "waiting" && message && (
          <>
            : <Visible text={message} />
          </>
        )}
        {state === "waiting" && after && (
          <span title={fullTime(after, zone)}> Tried again at {clockTime(after, zone)}.</span>
        )}
      </span>
    </p>
  );
}
