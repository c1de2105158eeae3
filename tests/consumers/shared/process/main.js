import { createClient } from "verified-swap";
import { trade } from "./trade.js";

await trade(createClient);
