/** A session in a process of its own: `node process.mjs JOB`; prints its trades. */
import { run } from "./session.mjs";

process.stdout.write(JSON.stringify(await run(JSON.parse(process.argv[2]))));
// A client follows what it sent.
process.exit();
