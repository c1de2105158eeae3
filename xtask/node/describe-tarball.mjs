// node describe-tarball.mjs FILE
//
// What is in an npm tarball, with the size of each file as it is and as it travels.
import { readFileSync, statSync } from "node:fs";
import { brotliCompressSync, gunzipSync, gzipSync } from "node:zlib";

const file = process.argv[2];
const figure = (number) => number.toLocaleString("en").padStart(10);

console.log(`\n       raw    gzip -9  brotli 11`);
for (const { name, bytes } of entries(gunzipSync(readFileSync(file)))) {
  const [gzip, brotli] = [gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length];
  console.log(`${figure(bytes.length)} ${figure(gzip)} ${figure(brotli)}  ${name}`);
}
console.log(`\n${file}  ${statSync(file).size.toLocaleString("en")} bytes`);

/** The files of a tar archive: 512-byte headers (name at 0, size in octal at 124, type at 156), contents padded to 512. */
function* entries(tar) {
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0; ) {
    const text = (from, length) => tar.toString("utf8", at + from, at + from + length).split("\0", 1)[0];
    const size = Number.parseInt(text(124, 12), 8);
    if (text(156, 1) === "0") yield { name: text(0, 100), bytes: tar.subarray(at + 512, at + 512 + size) };
    at += 512 + Math.ceil(size / 512) * 512;
  }
}
