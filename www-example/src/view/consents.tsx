import type { VNode } from "preact";
import { consentsAsked } from "../state/consents.ts";
import { useScene } from "./context.ts";
import { CheckBox } from "./parts/choice.tsx";

/** A tick for each thing that only the user can say yes to. */
export function Consents(): VNode {
  const { state, store } = useScene();
  const tick = (id: string, isYes: boolean): void => {
    const others = store.get().accepted.filter((other) => other !== id);
    store.set({ accepted: isYes ? [...others, id] : others });
  };
  return (
    <>
      {consentsAsked(state).map(({ id, text }) => (
        <CheckBox key={id} checked={state.accepted.includes(id)} onCheck={(isYes) => tick(id, isYes)}>
          {text}
        </CheckBox>
      ))}
    </>
  );
}
