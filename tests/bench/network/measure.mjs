/** Whole trades behind a network's delays, by this package and by its peer, in the same rounds. */
import { quantile } from "../stopwatch.mjs";
import { openStage } from "./stage.mjs";
import { counted, waterfall } from "./waterfall.mjs";

/** Milliseconds of a request to the service, and to a node. */
const DELAYS = [[200, 150], [50, 30]];
const SIDES = ["ours", "limited", "peer"];
/** Sides for a user without any allowance. */
const OF_NEW = ["ours", "permits", "peer"];
/** Seconds that a browser may remember a preflight. */
const CORS_MAX_AGE = 600;

/**
 * Rows of `{ environment, delays, flow, sides: { name: { ms, fromMs, toMs, clickMs, service, node, preflights, depth, waterfall } } }`:
 * medians of milliseconds from the start, with the least and the most, and from the click to the end;
 * the rest is of the round in the middle. With `once` behind the shorter delays alone.
 */
export async function measureNetwork({ rounds, once, withChromium, progress }) {
  const stage = await openStage({ withChromium });
  const rows = [];
  try {
    for (const delays of DELAYS.slice(once ? 1 : 0)) {
      for (const environment of stage.environments) {
        progress(`${environment}: trades behind ${delays} ms`);
        const flows = {};
        const trade = async (round, sides, conditions) => {
          for (let turn = 0; turn < sides.length; turn++) {
            const side = sides[(turn + round) % sides.length];
            for (const trade of await stage.session(environment, side, { delays, corsMaxAge: CORS_MAX_AGE, ...conditions })) {
              ((flows[trade.flow] ??= {})[side] ??= []).push(trade);
            }
          }
        };
        for (let round = 0; round < rounds; round++) {
          // A long review takes long, so that it is made once.
          await trade(round, SIDES, { isLate: round === 0 && delays === DELAYS[0], approves: true });
          await trade(round, OF_NEW, { isNew: true });
        }
        for (const [flow, sides] of Object.entries(flows)) {
          const inOrder = [...new Set([...SIDES, ...OF_NEW])].filter((side) => sides[side]);
          rows.push({ environment, delays, flow, sides: Object.fromEntries(inOrder.map((side) => [side, middle(sides[side])])) });
        }
      }
    }
  } finally {
    await stage.close();
  }
  return rows;
}

function middle(trades) {
  const sorted = trades.toSorted((one, other) => one.end - one.start - (other.end - other.start));
  const typical = sorted[Math.floor((sorted.length - 1) / 2)];
  const at = (share, duration) => Math.round(quantile(trades.map(duration), share));
  const whole = ({ start, end }) => end - start;
  return {
    ms: at(0.5, whole),
    fromMs: at(0, whole),
    toMs: at(1, whole),
    clickMs: at(0.5, ({ end, marks }) => end - marks.click),
    ...counted(typical),
    waterfall: waterfall(typical),
  };
}
