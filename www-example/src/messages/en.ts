/* Every text of the page, by area. Another language is another file of this shape. */

export const messages = {
  brand: "Verified swap",

  // start: the first screen, the header, wallets, what cannot start

  // form: amounts, tokens, settings
  form: {
    noFee: "None",
    notANumber: "An amount is digits with one decimal point.",
    tooManyDecimals: (symbol: string, decimals: number) => `${symbol} has ${decimals} decimals, not more.`,
    tooMuch: "That is more than any token has.",
    readAs: (amount: string) => `Read as ${amount}`,
    close: "Close",
  },

  // review: what is signed, its checks, steps, refusals

  // attack: the demo

  // progress: orders on their way, the history, allowances

  // terms: limit, TWAP, crosschain, OTC

  // failures: what went wrong, and what helps
};
