/** The requests of a trade: how many, how deep, and when. */

const WIDTH = 60;

/** `{ service, node, preflights, depth }` of a trade. */
export function counted({ requests, end }) {
  const of = (kind) => requests.filter((request) => request.kind === kind).length;
  return { service: of("service"), node: of("node"), preflights: of("preflight"), depth: depth(requests.filter((request) => request.end && request.end <= end)) };
}

/**
 * The longest chain of requests of which each began when the one before it was answered, up to the trade's end:
 * what was answered after it was not waited for.
 */
function depth(requests) {
  let [longest, free] = [0, 0];
  for (const { at, end } of requests.toSorted((one, other) => one.end - other.end)) {
    if (at < free) continue;
    longest += 1;
    free = end;
  }
  return longest;
}

/** One line for each request: when it began, how long it took, and both as a bar; `|` is the click. */
export function waterfall({ requests, start, end, marks }) {
  const last = Math.max(end, ...requests.map((request) => request.end));
  const column = (at) => Math.min(WIDTH - 1, Math.floor(((at - start) * WIDTH) / (last - start)));
  const lines = requests.map(({ kind, endpoint, at, end: answered }) => {
    const bar = Array(WIDTH).fill(" ");
    bar[column(marks.click)] = "|";
    bar.fill(kind === "preflight" ? "." : "#", column(at), column(answered || last) + 1);
    const name = kind === "preflight" ? `${endpoint} (preflight)` : endpoint;
    return `${String(at - start).padStart(6)} ${String(answered ? answered - at : "-").padStart(5)}  ${bar.join("")}  ${name}`;
  });
  return lines.join("\n");
}
