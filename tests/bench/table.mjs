/** Writes results as Markdown. A ratio is this package's time or size over the other's: below 1 this package is better. */

export function sizesTable(rows) {
  const ours = rows.find(({ role }) => role === "ours");
  const lines = ["| download of all paths, minified | brotli 11 | ours / this | |", "|---|--:|--:|---|"];
  for (const { what, brotli, role } of rows) {
    const compared = role === "ours" ? " | " : `${(ours.brotli / brotli).toFixed(2)} | ${sizeVerdict(ours.brotli - brotli)}`;
    lines.push(`| ${what} | ${count(brotli)} | ${compared} |`);
  }
  return lines.join("\n");
}

/** How much more (or less) a user downloads with this package, in words. */
export function sizesNote(rows) {
  const ours = rows.find(({ role }) => role === "ours").brotli;
  const against = (role) => {
    const differences = rows.filter((row) => row.role === role).map(({ brotli }) => ours - brotli);
    return between(Math.min(...differences), Math.max(...differences));
  };
  return (
    `What a user downloads for the same paths (brotli 11): ${against("whole")} than the Velora SDK with the viem it needs, depending on how much of ` +
    `both is picked out; ${against("alone")} than the SDK alone, where the application ships viem anyway. What is paid for: the SDK does not hold the ` +
    "service's answers against what was asked for."
  );
}

function between(least, most) {
  if (least > 0) return `**this package is ${count(least)} to ${count(most)} bytes larger**`;
  if (most <= 0) return `this package is ${count(-most)} to ${count(-least)} bytes smaller`;
  return `**this package is up to ${count(most)} bytes larger** and up to ${count(-least)} smaller`;
}

/** Rows of `{ title, times, ratios, note }`, times in microseconds. */
export function speedsTable(rows, peers) {
  const lines = [`| median time | ours | ${peers.map((peer) => `${peer} | ours / ${peer}`).join(" | ")} | |`, `|---|--:|${peers.map(() => "--:|--:|").join("")}---|`];
  for (const { title, times, ratios, note } of rows) {
    const cells = peers.map((peer) => (times[peer] ? `${time(times[peer].median)} | ${ratios[peer].median.toFixed(2)}` : "- | -"));
    const verdicts = peers.filter((peer) => ratios[peer]).map((peer) => [peer, ratios[peer]]);
    lines.push(`| ${title}${note ? ` (${note})` : ""} | ${time(times.ours.median)} | ${cells.join(" | ")} | ${verdict(verdicts)} |`);
  }
  return lines.join("\n");
}

/** The worst of rows of `{ title, ms }`, the worst first, in words. */
export function hostileNote(rows) {
  const [{ title, ms }] = rows;
  return `The worst of ${rows.length} hostile answers and arguments of 2 MB: ${title}, ${time(ms * 1000)}.`;
}

const SIDES = { ours: "this package", limited: "with its limiter", permits: "with a permit", peer: "peer" };
/** Those whose waterfalls are shown; a first Market swap or fill is hardly another one. */
const SHOWN = ["first gasless", "second gasless", "the same gasless again", "second Market", "second fill", "late gasless", "gasless with its approval", "gasless behind its approval", "Market with its approval", "a new user's gasless"];

/** Its time is mostly that of the review; what counts is from the click. */
const isLate = (flow) => flow.startsWith("late");
/** Whether both sides send a request behind the click; a transaction is the wallet's to send. */
const isPosted = (flow) => !/^(first|second) (Market|fill)$/.test(flow);

/** Tables by environment and delays, and waterfalls behind the first delays. */
export function networkParts(rows, rounds) {
  const parts = [
    `Whole trades of a new user, one after the other, behind ${rounds} interleaved rounds of delays on the sandbox (medians). Service and node are of other ` +
      "origins than the page; preflights are good for 600 s. The wallet has a key and answers at once. `peer` is the service's own SDK 9.5.4 on viem, for " +
      "Market and fills; its gasless orders are of the older endpoints, so that they are by viem by hand. It checks nothing but the allowance. " +
      "`this package` has a limit of requests that is not felt, `with its limiter` the default one: its second trade comes right behind the first. A trade with its approval gives a token that nobody may take yet: from the click are both prompts, and the wait between them, `behind its approval` until the receipt; a new user's is the first of a page, `with a permit` in place of the approval. A first gasless trade " +
      "begins with `createClient`; a late one comes 12 s after the others, and is reviewed for 12 s, so that what was read of the chain is read again. Depth: the longest chain of requests that waited for one another.",
  ];
  const title = ({ environment, delays: [service, node] }) => `${environment}, ${service} ms to the service, ${node} ms to a node`;
  for (const group of new Set(rows.map(title))) parts.push(`## ${group}`, networkTable(rows.filter((row) => title(row) === group)));
  for (const { environment, delays, flow, sides } of rows) {
    if (String(delays) !== String(rows[0].delays) || !SHOWN.includes(flow)) continue;
    for (const side of ["ours", "peer"]) {
      const { ms, waterfall } = sides[side];
      parts.push(`<details><summary>${environment}, ${delays}, ${flow}, ${SIDES[side]}: ${ms} ms</summary>\n\n\`\`\`\n${waterfall}\n\`\`\`\n</details>`);
    }
  }
  return parts;
}

function networkTable(rows) {
  const lines = ["| trade | by | ms | ours / peer | from the click | ours / peer | to the service | to the node | preflights | depth |", "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|"];
  for (const { flow, sides } of rows) {
    for (const [side, { ms, fromMs, toMs, clickMs, service, node, preflights, depth }] of Object.entries(sides)) {
      const over = (value, peers) => (side === "peer" ? "" : (value / peers).toFixed(2));
      const whole = isLate(flow) ? " | " : `${ms} (${fromMs} to ${toMs}) | ${over(ms, sides.peer.ms)}`;
      lines.push(
        `| ${flow} | ${SIDES[side]} | ${whole} | ${clickMs} | ${isPosted(flow) ? over(clickMs, sides.peer.clickMs) : ""} | ${service} | ${node} | ` +
          `${preflights} | ${depth} |`,
      );
    }
  }
  return lines.join("\n");
}

/** `{ "Chromium 200,150": { "second gasless": { ours, limited, permits, click } } }`, each over the peer's time. */
export function networkRatios(rows) {
  const ratios = {};
  for (const { environment, delays, flow, sides: { peer, ...ours } } of rows) {
    const over = (value, peers) => Number((value / peers).toFixed(2));
    const into = (ratios[`${environment} ${delays}`] ??= {});
    const all = Object.entries(ours).map(([side, { ms }]) => [side, over(ms, peer.ms)]);
    into[flow] = isLate(flow) ? {} : Object.fromEntries(all);
    if (isPosted(flow)) into[flow].click = over(ours.ours.clickMs, peer.clickMs);
  }
  return ratios;
}

const COLD_SIDES = {
  ours: "this package", preload: "with preload", plain: "the client awaited first", peer: "peer",
  "preload look": "with preload, the price looked at for 1 s", "peer look": "peer, the price looked at for 1 s",
};
const peerOf = (side) => (side.endsWith(" look") ? "peer look" : "peer");

/** Parts by network and CPU. */
export function coldParts(rows, rounds) {
  const lines = ["| network, CPU | by | first price | ours / peer | order posted | ours / peer | bytes before the price |", "|---|---|--:|--:|--:|--:|--:|"];
  for (const { network, cpu, sides } of rows) {
    for (const [side, { quoteMs, postedMs, bytes }] of Object.entries(sides)) {
      const over = (name) => (side === peerOf(side) ? "" : (sides[side][name] / sides[peerOf(side)][name]).toFixed(2));
      lines.push(`| ${network}, x${cpu} | ${COLD_SIDES[side]} | ${quoteMs} ms | ${over("quoteMs")} | ${postedMs} ms | ${over("postedMs")} | ${count(bytes)} |`);
    }
  }
  return [
    `From the navigation of a page with nothing cached, ${rounds} interleaved rounds (medians), each in a browser context of its own. Files come with ` +
      "brotli from a server on this machine; the network is emulated by Chromium as its DevTools do it, for page, service and node alike: 9 Mbit/s and 165 ms " +
      "each request (Fast 4G), 1.6 Mbit/s and 562 ms (Slow 4G), throughputs times 0.9; and two whose requests take less. Opening a connection costs nothing in this emulation. " +
      "The sandbox's own delays are 0. The wallet is no part of the page, has a key and answers at once. `peer`: the service's own SDK 9.5.4 on " +
      "viem, its gasless order by hand, as in `--network`. Bytes are those of the page's own files.",
    lines.join("\n"),
  ];
}

/** `{ "Fast 4G x1": { ours: { quote, posted }, preload } }`, each over the peer's time. */
export function coldRatios(rows) {
  const title = ({ network, cpu }) => `${network} x${cpu}`;
  const over = (value, peers) => Number((value / peers).toFixed(2));
  return Object.fromEntries(
    rows.map((row) => {
      const others = Object.entries(row.sides).filter(([side]) => side !== peerOf(side));
      const ratios = others.map(([side, { quoteMs, postedMs, bytes }]) => {
        const peer = row.sides[peerOf(side)];
        return [side, { quote: over(quoteMs, peer.quoteMs), posted: over(postedMs, peer.postedMs), bytes }];
      });
      return [title(row), Object.fromEntries(ratios)];
    }),
  );
}

/** Parts by machine. */
export function visitParts(rows, rounds) {
  const [ms, shift, task] = [(value) => `${Math.round(value)} ms`, (value) => value.toFixed(3), (value) => (value ? ms(value) : "none")];
  const lines = ["| | LCP | CLS | TBT | first price | requests before it | bytes before it | longest task while typing | frames lost by the stage |", "|---|--:|--:|--:|--:|--:|--:|--:|--:|"];
  for (const { machine, median: { lcpMs, cls, tbtMs, priceMs, requests, bytes, typingMs, dropped } } of rows) {
    lines.push(`| ${machine} | ${ms(lcpMs)} | ${shift(cls)} | ${ms(tbtMs)} | ${ms(priceMs)} | ${requests} | ${count(Math.round(bytes))} | ${task(typingMs)} | ${Math.round(dropped)} % |`);
  }
  return [
    `First visits of the example page, ${rounds} each (medians), with nothing cached, from the sandbox's own server with brotli. TBT: of each task over 50 ` +
      "ms what is beyond, from the first paint until the account's orders are there. Typing: the longest task of at least 50 ms until the price is there. Stage: frames of 60 a second, from its first to its last, that did not come.",
    lines.join("\n"),
  ];
}

/** The side that is better in three rounds out of four; else they are level, as far as this run shows. */
function verdict(ratios) {
  if (ratios.length === 0) return "";
  const better = ratios.filter(([, { low }]) => low > 1).map(([peer]) => peer);
  if (better.length > 0) return `**${better.join(", ")} better**`;
  const level = ratios.filter(([, { high }]) => high >= 1).map(([peer]) => peer);
  return level.length > 0 ? `level with ${level.join(", ")}` : "ours better";
}

function sizeVerdict(difference) {
  return difference > 0 ? `**we cost ${count(difference)} more**` : `we save ${count(-difference)}`;
}

/** Microseconds, or milliseconds from a thousand on. */
function time(value) {
  if (value >= 1000) return `${(value / 1000).toFixed(value >= 100_000 ? 0 : 1)} ms`;
  if (value >= 100) return `${value.toFixed(0)} us`;
  return `${value.toFixed(value >= 10 ? 1 : 2)} us`;
}

function count(value) {
  return value.toLocaleString("en-US");
}
