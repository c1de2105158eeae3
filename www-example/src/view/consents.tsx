import type { VNode } from "preact";
import { Consents as Ticks } from "../../../examples/review-components/src/index.ts";
import { messages } from "../messages/en.ts";
import { consentsAsked } from "../state/consents.ts";
import { useScene } from "./context.ts";

const reader = { texts: messages.review };

/** A tick for each thing that only the user can say yes to. */
export function Consents(): VNode {
  const { state, store } = useScene();
  const tick = (accepted: string[]): void => store.set({ accepted });
  return <Ticks consents={consentsAsked(state)} accepted={state.accepted} onChange={tick} reader={reader} />;
}
