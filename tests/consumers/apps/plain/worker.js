import { swap } from "./swap.js";

const violations = [];
addEventListener("securitypolicyviolation", (event) => violations.push(`${event.violatedDirective} ${event.blockedURI}`));

const entry = location.search.slice(1);
onmessage = async ({ data: settings }) => {
  try {
    const { createClient } = await import(`./node_modules/verified-swap/${entry}`);
    postMessage({ value: { ...(await swap(createClient, settings)), violations } });
  } catch (error) {
    postMessage({ error: error.stack });
  }
};
