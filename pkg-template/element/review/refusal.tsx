import type { VNode } from "preact";
import { useScene } from "../scene.ts";
import { Heading } from "../parts/text.tsx";

/** The refusal of a payload that was not as requested. */
export function Refusal(): VNode {
  const { state } = useScene();
  return <Heading>{state.view}</Heading>;
}
