// node digests.mjs FILE
//
// The SHA-256 of each file in an npm tarball, and of the tarball.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { gunzipSync } from "node:zlib";
import { entries } from "./tar.mjs";

const file = process.argv[2];
const digest = (bytes) => createHash("sha256").update(bytes).digest("hex");
const tarball = readFileSync(file);
for (const { name, bytes } of entries(gunzipSync(tarball))) console.log(`${digest(bytes)}  ${name}`);
console.log(`${digest(tarball)}  ${basename(file)}`);
