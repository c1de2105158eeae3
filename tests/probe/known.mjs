/** Which of the documented readings an answer shows. */

/** The name of the first reading that fits the answer, or the answer if none fits. */
export function known(sent, readings) {
  const found = Object.entries(readings).find(([, fits]) => holds(fits, sent));
  return found ? found[0] : `none of the documented: ${raw(sent)}`;
}

/** A reading that throws, for example at a missing member, does not fit. */
function holds(fits, sent) {
  try {
    return fits(sent);
  } catch {
    return false;
  }
}

/** As `known`, for amounts: readings of the same amount are all named. */
export function knownAmount(sent, readings) {
  const names = Object.entries(readings).filter(([, amount]) => String(amount) === String(sent)).map(([name]) => name);
  return names.length ? names.join(", or ") : `none of the documented: ${sent}; ${pairs(readings)}`;
}

const pairs = (readings) => Object.entries(readings).map(([name, amount]) => `${name} ${amount}`).join(", ");

function raw(sent) {
  const text = JSON.stringify(sent) ?? "nothing";
  return text.length > 4_000 ? `${text.slice(0, 4_000)}... ${text.length} characters` : text;
}

/** The types of a payload without its domain, the root first: `Order(address owner,...) Bridge(...)`. */
export function types({ types }) {
  const used = new Set(Object.values(types).flat().map(({ type }) => type.replace(/\[.*$/, "")));
  const names = Object.keys(types).sort((left, right) => used.has(left) - used.has(right));
  return names.filter((name) => name !== "EIP712Domain").map((name) => `${name}(${types[name].map((member) => `${member.type} ${member.name}`)})`).join(" ");
}

/** `{ low, high }` in raw units: `amount` less and more `bps`, rounded down; `up` as `high`, rounded up. */
export function within(amount, bps) {
  const high = BigInt(amount) * BigInt(10_000 + bps);
  return { low: (BigInt(amount) * BigInt(10_000 - bps)) / 10_000n, high: high / 10_000n, up: (high + 9_999n) / 10_000n };
}
