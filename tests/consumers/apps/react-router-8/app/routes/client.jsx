import { useEffect } from "react";
import { createClient } from "verified-swap";
import { report, swap } from "../../swap.js";

let isTrading = false;

export default function Client() {
  useEffect(() => {
    if (!isTrading) report(swap(createClient, window.settings));
    isTrading = true;
  }, []);
  return null;
}
