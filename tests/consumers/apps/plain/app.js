import { inWorker } from "./in-worker.js";
import { report, swap } from "./swap.js";

// Which entry: "index.js" or "inline.js".
const entry = location.search.slice(1);
const worker = () => new Worker(`./worker.js?${entry}`, { type: "module" });
const here = async () => swap((await import(`./node_modules/verified-swap/${entry}`)).createClient, window.settings);
report(location.hash === "#worker" ? inWorker(worker()) : here());
