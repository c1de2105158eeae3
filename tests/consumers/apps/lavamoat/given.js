import { createClient, init } from "verified-swap";
import { report, settings } from "./page.js";
import { swap } from "./swap.js";

report(init("/verified_swap_bg.wasm").then(() => swap(createClient, settings)));
