/** How much the service takes, and how it refuses what is too much: asked only with `--burst`, because it breaks the limit. */
import { cors } from "./readings.mjs";

const PAGE = { headers: { origin: "https://app.example" } };
const WITHOUT = "only `--burst N` asks for one: up to N requests at once";
/** After the refusal, at one request a second. */
const ATTEMPTS = 10;

/** `[topic, async () => reading]`. Nothing else may be asked afterwards: the limit is used up. */
export function readingsOfLimits(service, most) {
  let once;
  const seen = () => (once ??= most ? burst(service, most) : Promise.reject(new Error(WITHOUT)));
  const refusal = async () => (await seen()).refusal ?? Promise.reject(new Error(`none of ${most} requests was refused`));
  return [
    ["requests taken at once", async () => {
      const { taken, ms, refusal } = await seen();
      return `${taken} in ${ms} ms, ${refusal ? "the next was refused" : "none was refused: try a larger --burst"}`;
    }],
    ["Retry-After of a 429", async () => (await refusal()).headers.get("retry-after") ?? "none"],
    ["Retry-After of a 429, to a page", async () => {
      const { headers } = await refusal();
      return /\*|retry-after/i.test(headers.get("access-control-expose-headers") ?? "") ? "exposed" : "not exposed";
    }],
    ["CORS on a 429", async () => cors(await refusal())],
    ["body of a 429", async () => {
      const { headers, json, text } = await refusal();
      return `${headers.get("content-type")}, ${json?.errorType ?? json?.error ?? (json === undefined ? "no JSON" : "no errorType")}: ${text.slice(0, 200)}`;
    }],
    ["taken again after a 429", async () => (await seen()).again],
  ];
}

/** One request after the other, without a pause, until one is refused; then one a second until one is taken. */
async function burst({ rush }, most) {
  console.log(`  (now up to ${most} requests at once, until one is refused, and up to ${ATTEMPTS} more at one a second)`);
  const start = Date.now();
  let [taken, refusal] = [0, null];
  while (taken < most && !refusal) {
    const answer = await rush("/chains", PAGE);
    if (answer.status === 429) refusal = answer;
    else if (answer.status >= 400) throw new Error(`/chains is answered with ${answer.status}`);
    else taken++;
  }
  const ms = Date.now() - start;
  if (!refusal) return { taken, ms };
  const refused = Date.now();
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    if ((await rush("/chains", PAGE)).status !== 429) return { taken, ms, refusal, again: `${Date.now() - refused} ms` };
  }
  return { taken, ms, refusal, again: `not within ${Date.now() - refused} ms` };
}
