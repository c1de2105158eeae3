/**
 * Interleaved timing: every round runs each candidate once, in a rotating order, so that a busy machine slows them all
 * alike; what is reported is the median of the rounds, and the quartiles of the ratios within one round.
 */

/** A sample lasts at least this long, so that the clock's resolution does not show. */
const SAMPLE_MS = 6;

/**
 * Times candidates `{ name: (i) => result }`, synchronous or (`isAsync`) returning promises.
 * Returns per name `{ median }` in microseconds a call, and `ratios`: the base's time over the other's, as quartiles `{ low, median, high }`.
 */
export async function interleaved(candidates, { base, rounds = 21, isAsync = false }) {
  const names = Object.keys(candidates);
  const iterations = {};
  for (const name of names) iterations[name] = await calibrated(candidates[name], isAsync);
  const samples = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(turn + round) % names.length];
      const ms = await timed(candidates[name], iterations[name], isAsync);
      samples[name].push((ms * 1000) / iterations[name]);
    }
  }
  return summary(samples, base);
}

/** Medians and ratios of samples taken in the same rounds. */
export function summary(samples, base) {
  const times = {};
  const ratios = {};
  for (const [name, values] of Object.entries(samples)) {
    times[name] = { median: quantile(values, 0.5) };
    const inRounds = values.map((value, round) => samples[base][round] / value);
    ratios[name] = { low: quantile(inRounds, 0.25), median: quantile(inRounds, 0.5), high: quantile(inRounds, 0.75) };
  }
  return { times, ratios };
}

/** The value below which that share of the values lies, interpolated. */
export function quantile(values, share) {
  const sorted = [...values].sort((left, right) => left - right);
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - below);
}

async function calibrated(call, isAsync) {
  let iterations = 1;
  for (;;) {
    const ms = await timed(call, iterations, isAsync);
    if (ms >= SAMPLE_MS) return iterations;
    iterations = ms < SAMPLE_MS / 10 ? iterations * 5 : Math.ceil((iterations * SAMPLE_MS * 1.2) / ms);
  }
}

/** Counts on through all samples, so that no call repeats the input of the one before. */
let step = 0;

async function timed(call, iterations, isAsync) {
  let last;
  const end = step + iterations;
  const start = performance.now();
  if (isAsync) for (; step < end; step++) last = await call(step);
  else for (; step < end; step++) last = call(step);
  const ms = performance.now() - start;
  step = end;
  sink.last = last;
  return ms;
}

/** Keeps results alive, so that no engine may leave the work out. */
const sink = { last: null };
