import { createClient } from "verified-swap";
import { swap } from "./swap.js";

onmessage = ({ data: settings }) =>
  swap(createClient, settings).then(
    (value) => postMessage({ value }),
    (error) => postMessage({ error: error.stack }),
  );
