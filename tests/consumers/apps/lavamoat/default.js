import { createClient } from "verified-swap";
import { report, settings } from "./page.js";
import { swap } from "./swap.js";

report(swap(createClient, settings));
