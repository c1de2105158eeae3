import { optionsOf, walletOf } from "./swap.js";

/** The page's use of `<verified-swap>`; resolves once its trade has ended. */
export function shown(settings) {
  const element = document.querySelector("verified-swap");
  const prompts = [];
  const [src, dest] = settings.tokens.map(({ chainId, address }) => `${chainId}:${address}`);
  Object.assign(element, { src, dest, tokens: settings.tokens, wallet: walletOf(settings, prompts), client: optionsOf(settings) });
  return new Promise((resolve, reject) => {
    element.addEventListener("error", ({ detail }) => reject(detail));
    element.addEventListener("refused", ({ detail }) => reject(detail.error));
    element.addEventListener("trade", ({ detail: { purpose, state, status, id, figures, sentence } }) => {
      if (purpose !== "swap" || state !== "done") return;
      resolve({ status, orderHash: id, minReceived: figures.getAtLeast, sentences: [sentence], prompts });
    });
  });
}
