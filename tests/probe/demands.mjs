/** Readings that a release rests on (docs/releasing.md): those of a probe that the package is right with. */

const VERIFIED = /^quote and build verified/;
const AS_COMPUTED = /^as documented; its hash is the digest computed here$/;
const ORDERS = ["an Order", "an ExternalOrder", "a TWAPOrder", "a TWAPBuyOrder"];
const OPEN_TO_PAGES = /allow-origin (\*|https:\/\/app\.example)/;

/** `[topic, reading, of every chain]` */
const DEMANDS = [
  ["CORS on an answer", OPEN_TO_PAGES, false],
  ["CORS preflight of POST", OPEN_TO_PAGES, false],
  ...["SELL", "BUY", "Market SELL", "Market BUY"].map((trade) => [`this package, ${trade}`, VERIFIED, true]),
  ...ORDERS.map((type) => [`typed data of ${type}`, AS_COMPUTED, true]),
  ["typed data with partiallyFillable", /^(FillableOrder|Order), .*; its hash is the digest computed here$/, true],
  ["our nonce kept", /^yes$/, true],
];

/** Gaps in the findings, a sentence each. */
export function missing(findings, chains) {
  return DEMANDS.flatMap(([topic, demanded, ofEach]) => (ofEach ? chains : [null]).flatMap((chainId) => {
    const found = findings.find((finding) => finding.chainId === chainId && finding.topic === topic);
    if (demanded.test(found?.reading ?? "")) return [];
    return `${chainId === null ? "" : `chain ${chainId}, `}${topic}: ${found?.reading ?? "not asked"}`;
  }));
}
