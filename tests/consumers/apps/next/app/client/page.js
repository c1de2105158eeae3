"use client";
import { useEffect } from "react";
import { createClient } from "verified-swap";
import { report, swap } from "../../swap.js";

let isTrading = false;

export default function Page() {
  useEffect(() => {
    // Development runs each effect twice.
    if (!isTrading) report(swap(createClient, window.settings));
    isTrading = true;
  }, []);
  return null;
}
