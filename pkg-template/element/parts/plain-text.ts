// A stranger's texts, as they may be shown.

/** Characters that would hide the text, or turn it around. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const LONGEST_SYMBOL = 12;

/** A stranger's text of that many characters: without those that are hidden, or disturb the text around it. */
export function plainText(text: string, most: number): string {
  const plain = [...text.replace(HIDDEN, "").trim()];
  return plain.length > most ? `${plain.slice(0, most).join("")}…` : plain.join("");
}

/** A symbol as it may be shown. */
export function plainSymbol(symbol: string): string {
  return plainText(symbol, LONGEST_SYMBOL) || "?";
}
