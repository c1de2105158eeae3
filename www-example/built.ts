import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Plugin } from "vite";
import { crate, filesOf } from "../xtask/node/manifest.mjs";
import { Built, type Guide, type Source } from "./src/built/built.tsx";

/* Renders "How this page is built" from the sources and the guides themselves. */

const ROOT = join(import.meta.dirname, "..");
const FOLDER = join(import.meta.dirname, "src/client");

/** What is read first, and the guide to it. A file that is not here comes after them. */
const READING: [file: string, guide: string][] = [
  ["pricing", "quick-start"],
  ["swap", "quick-start"],
  ["gate", "security-model"],
  ["prompts", "security-model"],
  ["calls", "security-model"],
  ["following", "quick-start"],
  ["sending", "ways-to-trade"],
  ["terms", "ways-to-trade"],
  ["permits", "ways-to-trade"],
  ["unfinished", "errors-to-users"],
  ["opened", "errors-to-users"],
  ["orders", "ways-to-trade"],
  ["offering", "ways-to-trade"],
  ["offers", "ways-to-trade"],
  ["allowances", "security-model"],
  ["page", "quick-start"],
  ["wallets", "viem"],
  ["accounts", "wallet-kinds"],
  ["node", "wallet-kinds"],
  ["receipts", "ways-to-trade"],
  ["tokens", "quick-start"],
];

export function built(): Plugin {
  return {
    name: "built",
    transformIndexHtml: {
      order: "pre",
      handler: (html, { filename }) =>
        filename.endsWith("built.html") ? html.replace("<body></body>", () => `<body>${renderBuilt()}</body>`) : html,
    },
  };
}

function renderBuilt(): string {
  const repository = crate(ROOT, "repository");
  return renderToString(h(Built, { sources: sources(), files: filesOf(repository, crate(ROOT, "version")) }));
}

function sources(): Source[] {
  const client = readdirSync(FOLDER).map((file) => {
    const place = READING.findIndex(([name]) => `${name}.ts` === file);
    const guide = READING[place]?.[1];
    return {
      place: place === -1 ? READING.length : place,
      name: `client/${file}`,
      text: readFileSync(join(FOLDER, file), "utf8"),
      guide: guide ? guideAt(`docs/guides/${guide}.md`) : null,
    };
  });
  return client.sort((one, other) => one.place - other.place);
}

function guideAt(path: string): Guide {
  const text = readFileSync(join(ROOT, path), "utf8");
  return { path, title: /^# (.+)$/m.exec(text)?.[1] ?? path };
}
