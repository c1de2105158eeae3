import type { VNode } from "preact";
import { useScene } from "../scene.ts";
import { Heading } from "../parts/text.tsx";

/** One trade by itself: its progress, then its receipt. */
export function Entry(): VNode {
  const { state } = useScene();
  return <Heading>{state.view}</Heading>;
}
