/* The calls that are steps of their own, as the package writes them: made from its encoders by `WRITE=1 cargo test --test
   page_calls`. */

export const written = {
  approve: /^0x095ea7b3000000000000000000000000(?<spender>[0-9a-f]{40})(?<amount>[0-9a-f]{64})$/,
  preSign: /^0xeb8fb268(?<orderHash>[0-9a-f]{64})0000000000000000000000000000000000000000000000000000000000000001$/,
  deposit: /^0xa1e77937(?<orderHash>[0-9a-f]{64})$/,
};
