import { createClient } from "verified-swap/inline";
import { trade } from "./trade.js";

await trade(createClient);
