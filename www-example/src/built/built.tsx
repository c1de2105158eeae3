/** @jsxImportSource preact */
import type { VNode } from "preact";
import { messages } from "../messages/en.ts";

/* The page "How this page is built", made when the page is: no script runs in it. */

const texts = messages.built;

export interface Source {
  name: string;
  text: string;
  guide: Guide | null;
}

export interface Guide {
  /** In the repository. */
  path: string;
  title: string;
}

interface BuiltProps {
  /** What calls the package, in reading order. */
  sources: Source[];
  /** Where the repository's files can be read; null where that is not known. */
  files: string | null;
}

export function Built({ sources, files }: BuiltProps): VNode {
  return (
    <main class="built">
      <p>
        <a href="./">{texts.back}</a>
      </p>
      <h1>{texts.title}</h1>
      <p>{texts.intro}</p>
      <ol>
        {sources.map((source) => (
          <File key={source.name} source={source} files={files} />
        ))}
      </ol>
      <h2>{texts.restTitle}</h2>
      <dl class="rooms">
        {Object.entries(texts.rooms).map(([room, words]) => (
          <div key={room}>
            <dt class="mono">{room}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet">{texts.charts}</p>
    </main>
  );
}

function File({ source: { name, text, guide }, files }: { source: Source; files: string | null }): VNode {
  return (
    <li class="card">
      <h2 class="mono">{name}</h2>
      <p>{sentenceOf(text)}</p>
      {guide && (
        <p class="quiet">
          {texts.guide} {files ? <a href={`${files}/${guide.path}`}>{guide.title}</a> : guide.title}{" "}
          <span class="mono">{guide.path}</span>
        </p>
      )}
      <details>
        <summary>{texts.lines(text.trimEnd().split("\n").length)}</summary>
        <pre tabIndex={0} role="region" aria-label={name}>
          <code>{text}</code>
        </pre>
      </details>
    </li>
  );
}

/** The comment at a file's top, which stands below its imports; else that of what is first in it. */
function sentenceOf(text: string): string {
  const [, comment = ""] = /\/\*(?!\*)([\s\S]*?)\*\//.exec(text) ?? /\/\*\*([\s\S]*?)\*\//.exec(text) ?? [];
  return comment.replace(/\s+/g, " ").trim();
}
