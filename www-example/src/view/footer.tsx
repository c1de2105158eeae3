import type { VNode } from "preact";
import { messages } from "../messages/en.ts";

export function Footer(): VNode {
  return (
    <footer>
      <a href="./built.html">{messages.built.title}</a>
    </footer>
  );
}
