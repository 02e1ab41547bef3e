// External communications: what people who are not the owner write by a channel, apart from all
// conversations.
import { useLayoutEffect, useRef } from "react";
import { scrollerOf } from "../ui/scroller";
import { All } from "./All";
import { Exchange } from "./Exchange";
import "./external.css";

export default function ExternalPage({ id }: { id: string | null }) {
  const top = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each is read from its beginning
  useLayoutEffect(() => {
    if (top.current) scrollerOf(top.current).scrollTop = 0;
  }, [id]);
  return (
    <div ref={top} className="ext-page">
      {id === null ? <All /> : <Exchange key={id} id={id} />}
    </div>
  );
}
