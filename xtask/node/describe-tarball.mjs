// node describe-tarball.mjs FILE...
//
// The files in npm tarballs, with the size of each as it is and as it travels.
import { readFileSync, statSync } from "node:fs";
import { brotliCompressSync, gunzipSync, gzipSync } from "node:zlib";
import { entries } from "./tar.mjs";

const figure = (number) => number.toLocaleString("en").padStart(10);

for (const file of process.argv.slice(2)) {
  console.log(`\n       raw    gzip -9  brotli 11`);
  for (const { name, bytes } of entries(gunzipSync(readFileSync(file)))) {
    const [gzip, brotli] = [gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length];
    console.log(`${figure(bytes.length)} ${figure(gzip)} ${figure(brotli)}  ${name}`);
  }
  console.log(`\n${file}  ${statSync(file).size.toLocaleString("en")} bytes`);
}
