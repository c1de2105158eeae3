import type { VNode } from "preact";
import { useScene } from "../scene.ts";
import { Heading } from "../parts/text.tsx";

/** The review of what is about to be agreed to. */
export function Review(): VNode {
  const { state } = useScene();
  return <Heading>{state.view}</Heading>;
}
