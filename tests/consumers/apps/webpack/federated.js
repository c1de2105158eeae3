import { createClient } from "verified-swap";
import { report, swap } from "./swap.js";

report(swap(createClient, window.settings));
