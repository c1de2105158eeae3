import type { Explanation, Finding } from "verified-swap/verify";
import { type Content, element, rows } from "./element.ts";
import type { Explained } from "./explained.ts";

const FACTS: Record<string, string> = {
  chainId: "Chain", contract: "Contract", from: "Signs or pays", owner: "Owner", gives: "Gives", getsAtLeast: "Gets at least", to: "Receiver", until: "Until",
  fees: "Fee", spender: "Spender", nonce: "Nonce", destChainId: "Arrives on chain", destToken: "Arrives as", entersBridge: "Enters a bridge", taker: "Taker",
  delegate: "Delegate", gasAtMost: "Gas at most", gasPaidBy: "Gas paid by", origin: "Asked by",
};
const SEVERITIES = ["danger", "caution", "info"] as const;
const WORDS = { danger: "Danger", caution: "Caution", info: "Note" };

/** The heading takes the focus after a choice, whose button is gone. */
const FOCUSED = { tabindex: "-1" };

/** The unread payload, in the largest words of the page. */
export function unreadAnswer(reason: string): HTMLElement {
  return element("div", { class: "answer unread" }, element("h2", FOCUSED, "This cannot be read."), element("p", { class: "sentence" }, reason), element("p", {}, "What it does is not known here. It may do anything."));
}

/** The whole answer about a payload. */
export function shownAnswer({ answer, assumptions }: Explained, form: string): HTMLElement {
  const isUnread = answer.verdict === "unread";
  return element(
    "div",
    { class: isUnread ? "answer unread" : "answer" },
    element("h2", FOCUSED, isUnread ? "This cannot be read." : answer.title),
    element("p", { class: "sentence" }, answer.sentence),
    isUnread && element("p", {}, "What it does is not known here. It may do anything."),
    element("p", { class: "aside" }, `Read as ${form}.`),
    ...assumptions.map((text) => element("p", { class: "aside assumption" }, text)),
    element("h3", {}, "Findings"),
    findings(answer),
    unread(answer),
    element("h3", {}, "Facts"),
    facts(answer),
    coverage(answer),
    inside(answer),
    digests(answer),
  );
}

/** The findings, the worst first; without any, the answer makes no promise. */
function findings({ findings, verdict, opaque }: Explanation): HTMLElement {
  const sorted = SEVERITIES.flatMap((severity) => findings.filter((finding) => finding.severity === severity));
  const list = element("ul", { class: "findings" }, ...sorted.map(shownFinding));
  if (sorted.some(({ severity }) => severity !== "info") || verdict === "unread") return list;
  // A note can be that a price was not judged.
  const what = sorted.length ? "but notes" : "known to be wrong";
  const where = opaque.length ? " in what was read" : "";
  return element("div", {}, element("p", {}, `Nothing ${what} was found${where}; this is not a promise.`), list);
}

const shownFinding = ({ severity, text, field, link, id }: Finding): HTMLElement =>
  element(
    "li",
    { class: severity },
    element("strong", {}, WORDS[severity]),
    element("p", {}, `${text}.`),
    element("p", { class: "aside" }, element("code", {}, field), " ", element("a", { href: documented(link) }, id)),
  );

/** The rule of a finding, in the documentation of this site. */
const documented = (link: string): string => `./docs/explain.html#${encodeURIComponent(link.split("#")[1] ?? "")}`;

function unread({ opaque }: Explanation): Content {
  if (!opaque.length) return undefined;
  const named = opaque.slice(0, 40).map((path) => element("li", {}, element("code", {}, path)));
  const more = opaque.length > named.length && element("li", {}, `and ${opaque.length - named.length} more`);
  return element("section", {}, element("h3", {}, "Not read"), element("ul", { class: "opaque" }, ...named, more));
}

function facts({ facts }: Explanation): HTMLElement {
  const known = Object.entries(facts).map(([name, value]) => [FACTS[name] ?? name, shownFact(name, value)] as const);
  return known.length ? rows(known) : element("p", {}, "None is known.");
}

/** The value of a fact: the displays are the module's, which has taken all that hides or turns text out of them. */
function shownFact(name: string, value: unknown): string {
  if (name === "chainId" && value === 0) return "every one";
  if (name === "until") return value === null ? "never ends" : dated(String(value));
  if (Array.isArray(value)) return value.map((one) => shownFact("", one)).join(", ");
  if (typeof value !== "object" || value === null) return String(value);
  const shown: { display?: unknown; partner?: unknown; bps?: unknown } = value;
  if (shown.display !== undefined) return String(shown.display);
  if (shown.bps !== undefined) return `${Number(shown.bps) / 100} %, for ${String(shown.partner)}`;
  return JSON.stringify(value);
}

function dated(seconds: string): string {
  const date = new Date(Number(seconds) * 1000);
  return Number.isNaN(date.getTime()) ? `${seconds} (unix seconds)` : `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

const coverage = ({ coverage: { bytes, fields } }: Explanation): HTMLElement =>
  element("p", { class: "coverage" }, `Read: ${bytes.read} of ${bytes.total} bytes, ${fields.read} of ${fields.total} values.`);

/** The payloads inside: their findings stand above, with the path of each. */
function inside({ inner }: Explanation): Content {
  if (!inner.length) return undefined;
  const shown = inner.map((one, index) =>
    element(
      "li",
      {},
      element("details", { open: index < 8 }, element("summary", {}, `${index}: ${one.verdict === "unread" ? "cannot be read" : one.title}`), element("p", {}, one.sentence), unread(one), facts(one), coverage(one), inside(one)),
    ),
  );
  return element("section", {}, element("h3", {}, inner.length === 1 ? "Inside" : `Inside: ${inner.length}`), element("ol", { class: "inside", start: "0" }, ...shown));
}

function digests({ digests }: Explanation): Content {
  const known = Object.entries(digests);
  if (!known.length) return undefined;
  return element("details", {}, element("summary", {}, "Digests"), rows(known.map(([name, digest]) => [name, element("code", {}, digest)] as const)));
}
