import { createClient } from "verified-swap/inline";
import { report, swap } from "./swap.js";

report(swap(createClient, window.settings));
