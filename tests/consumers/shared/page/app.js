import { createClient } from "verified-swap";
import { inWorker } from "./in-worker.js";
import { report, swap } from "./swap.js";

const worker = () => new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
report(location.hash === "#worker" ? inWorker(worker()) : swap(createClient, window.settings));
