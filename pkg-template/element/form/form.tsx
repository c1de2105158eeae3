import type { VNode } from "preact";
import { useScene } from "../scene.ts";
import { Heading } from "../parts/text.tsx";

/** The form: tokens, amounts, price and terms. */
export function Form(): VNode {
  const { state } = useScene();
  return <Heading>{state.view}</Heading>;
}
