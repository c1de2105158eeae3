import type { TradeError } from "verified-swap";

const CALL = `const { order } = await client.trade(quote, {
  onReview: ({ sentence }) => userAgrees(sentence),
});`;

/** The lines by which an app gets what the stage shows: the call, and of a refusal its error with these values. */
export function codeOf(error: TradeError | null): string {
  if (!error) return `${CALL}\nshow(order.status);`;
  const { code, field, expected = "", actual = "" } = error;
  const short = (text: string): string => JSON.stringify(text.length > 44 ? `${text.slice(0, 43)}…` : text);
  const values = [
    ["code", JSON.stringify(code)],
    ["field", JSON.stringify(field)],
    ["expected", short(expected)],
    ["actual", short(actual)],
  ];
  const unit = /\.destAmount$/.test(field ?? "") ? ", before the fee" : "";
  const members = values.map(([name, value], place) => `  error.${name}; // ${value}${place > 1 ? unit : ""}`);
  return ["try {", CALL.replace(/^/gm, "  "), "} catch (error) {", ...members, "}"].join("\n");
}

/** Folds the lines where there is no room for them, and has the install command copied. */
export function layOut(details: HTMLDetailsElement, copy: HTMLButtonElement, command: string): void {
  if (matchMedia("(max-width: 59.999rem)").matches) details.open = false;
  copy.addEventListener("click", async () => {
    const isCopied = await navigator.clipboard.writeText(command).then(() => true, () => false);
    copy.textContent = isCopied ? "Copied" : "Not copied";
  });
}
