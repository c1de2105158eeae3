/* Raw units and decimal text. The package has the same two; these work before its module is there. */

/** `1500000` of 6 decimals is `1.5`. Exact. */
export function formatUnits(amount: bigint | string, decimals: number): string {
  const digits = String(amount).padStart(decimals + 1, "0");
  const point = digits.length - decimals;
  const fraction = digits.slice(point).replace(/0+$/, "");
  return fraction ? `${digits.slice(0, point)}.${fraction}` : digits.slice(0, point);
}

/** `1.5` of 6 decimals is `1500000`. `text` is digits with at most one point, and at most so many behind it. */
export function parseUnits(text: string, decimals: number): string {
  const [whole = "", fraction = ""] = text.split(".");
  const units = BigInt(whole + fraction.padEnd(decimals, "0"));
  if (units >= 2n ** 256n) throw new RangeError("More than 256 bits.");
  return units.toString();
}
