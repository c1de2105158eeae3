import type { VNode } from "preact";
import { messages } from "../messages/en.ts";

/** The notice that the chart library's licence asks of a page, with its link. */
export function Footer(): VNode {
  return (
    <footer>
      <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
        {messages.start.charts}
      </a>
    </footer>
  );
}
