// Everything the default entry exports: nothing is shaken off.
export * from "verified-swap";
