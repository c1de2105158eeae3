/* Every text of the page, by area. Another language is another file of this shape. */

export const messages = {
  brand: "Verified swap",

  // start: the first screen, the header, wallets, what cannot start

  // form: amounts, tokens, settings

  // review: what is signed, its checks, steps, refusals

  // attack: the demo

  // progress: orders on their way, the history, allowances

  // terms: limit, TWAP, crosschain, OTC

  // failures: what went wrong, and what helps
};
