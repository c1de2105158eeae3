import { test } from "vitest";
import { createClient } from "verified-swap";
import { trade } from "./trade.js";

test("a trade", () => trade(createClient), 60_000);
