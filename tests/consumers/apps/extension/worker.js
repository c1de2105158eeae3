import { createClient } from "./node_modules/verified-swap/index.js";
import { swap } from "./swap.js";

chrome.runtime.onMessage.addListener((settings, sender, answer) => {
  swap(createClient, settings).then(
    (value) => answer({ value }),
    (error) => answer({ error: error.stack }),
  );
  // The answer comes later.
  return true;
});
