/** Every way in which a page can die at every step of a trade, and what has to hold then. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { SENDS, SIGN, userOf } from "./world.mjs";

/** The last two are sent, by a transaction and by calls that are sent together. */
export const TRADES = ["Delta", "OTC", "Market", "Batch"];

/** Cells side by side. */
const WIDTH = 3;
/** Above anything a cell does: only what hangs is ended by it. */
const LIMIT_MS = 90_000;
const AFTER_END_MS = 20_000;

const POST = { Delta: /^POST \/v2\/delta\/orders begun 1$/, OTC: /^POST \/ft\/p2p\/\d+\/ begun 1$/ };
const ENDPOINT = { Delta: "post", OTC: "otcPost" };

/** The service's ways with the post, beside taking it; each has steps of its own from there on. */
const TROUBLE = {
  "500, not taken": { status: 500, errorType: "InternalError" },
  "reset, taken": { dropAfterAccept: true, reset: true },
};
/** Where the post is when the page dies while it is on its way. */
const ON_THE_WAY = { "held, not taken": { hold: true }, "held, taken": { hold: true, afterAccept: true } };
/** The wallet's ways with a prompt whose page died: it answers unheard, answers when all is over, or never. */
const ANSWERS = ["answers nobody", "answers late", "never answers"];

const WAYS = {
  close: (page) => page.close(),
  async crash(page) {
    const crashed = new Promise((resolve) => page.once("crash", resolve));
    (await page.context().newCDPSession(page)).send("Page.crash").catch(() => {});
    await crashed;
    await page.close();
  },
  /** The page of this tab is the next one. */
  reload: (page) => page.reload(),
  /** The other tab was there all the time. */
  "close one of two": (page) => page.close(),
};
const EVERYWHERE = ["close", "crash", "close one of two"];

/** The tabs of one user: an origin of their own, so that they share storage and locks with each other and with no others. */
function tabsOf(world, user) {
  const opened = [];
  const complaints = [];
  let die;
  const died = new Promise((resolve) => (die = resolve));
  const isReady = (page) => page.waitForFunction(() => window.make);
  const open = async (stop) => {
    const page = await world.context.newPage();
    opened.push(page);
    page.on("pageerror", (error) => complaints.push(error.stack));
    // Only an error's message would pass.
    const failed = ({ code, message }) => ({ error: { code, message } });
    await page.exposeFunction("askWallet", (asked) => user.wallet.request(asked).then((value) => ({ value }), failed));
    await page.exposeFunction("died", die);
    await page.goto(stop ? `${user.pageUrl}?${new URLSearchParams({ stop })}` : user.pageUrl);
    await isReady(page);
    return page;
  };
  return { open, isReady, died, complaints, close: () => Promise.all(opened.map((page) => page.close())) };
}

const NEVER = "it never came to the step";
const connect = (page, { options }) => page.evaluate((options) => connect(options), options);
const make = (page, trade, { terms }, isSame = false) =>
  page.evaluate(([trade, terms, isSame]) => make(trade, terms, isSame), [trade, terms, isSame]);

/** The steps of a trade in which nothing dies. */
async function record(world, trade, trouble) {
  const user = await userOf(world, trade);
  if (trouble) await user.fault({ endpoint: ENDPOINT[trade], ...TROUBLE[trouble] });
  const tabs = tabsOf(world, user);
  const page = await tabs.open();
  await connect(page, user);
  assert.deepEqual(await make(page, trade, user), {}, `${trade}, ${trouble}`);
  const steps = await page.evaluate(() => steps);
  await tabs.close();
  return steps;
}

/** The cells of a trade as `{ name, trade, step, way, service, answers }`; those of a service in trouble with `isAll`. */
export async function cells(world, trade, isAll) {
  const all = [];
  const add = (step, ways, more = {}) => {
    for (const way of ways) {
      const name = [trade, step, ...Object.values(more), way].join(", ");
      all.push({ name, trade, step, way, ...more });
    }
  };
  for (const step of await record(world, trade)) {
    if (POST[trade]?.test(step)) {
      for (const service of Object.keys(ON_THE_WAY)) add(step, EVERYWHERE, { service });
    } else if ([SIGN, ...SENDS].some((method) => step.includes(method))) {
      for (const answers of step.includes("begun") ? ANSWERS : ["answers"]) add(step, Object.keys(WAYS), { answers });
    } else {
      add(step, EVERYWHERE);
    }
  }
  for (const service of isAll && POST[trade] ? Object.keys(TROUBLE) : []) {
    const steps = await record(world, trade, service);
    const posted = steps.findIndex((step) => POST[trade].test(step)) + 1;
    for (const step of steps.slice(posted)) add(step, EVERYWHERE, { service });
  }
  return all;
}

/** Runs a cell; fails if anything was lost, signed twice or made twice. */
async function run(world, { trade, step, way, service, answers }) {
  const user = await userOf(world, trade);
  const { wallet } = user;
  if (service) await user.fault({ endpoint: ENDPOINT[trade], ...(ON_THE_WAY[service] ?? TROUBLE[service]) });
  wallet.holds = answers === "answers late" || answers === "never answers";
  const tabs = tabsOf(world, user);
  try {
    let page = await tabs.open(step);
    // It ends with the page. Some steps are not awaited: they come after the end.
    const work = connect(page, user).then(() => make(page, trade, user)).catch(() => "died");
    const never = async (end) => {
      await sleep(AFTER_END_MS);
      assert.fail(`${NEVER}: ${JSON.stringify(end)}`);
    };
    const isKept = await Promise.race([tabs.died, work.then(never)]);
    while (service in ON_THE_WAY && (await user.held()) === 0) await sleep(10);
    if (answers) while (wallet.prompts.length === 0) await sleep(10);
    if (answers === "answers nobody") await wallet.answer();

    const first = page;
    if (way === "close one of two") {
      page = await tabs.open();
      const asked = wallet.prompts.length;
      await connect(page, user);
      assert.equal(wallet.prompts.length, asked, "resume opens no prompt");
      const { code } = await make(page, trade, user);
      assert.ok([undefined, "ALREADY_SIGNED"].includes(code), `the other tab: ${code}`);
      if (answers) assert.equal(wallet.prompts.length, asked, "another tab opens no prompt for what one is asking");
      await WAYS[way](first);
    } else {
      await WAYS[way](first);
      if (way === "reload") await tabs.isReady(page);
      else page = await tabs.open();
    }

    // A browser takes a page's locks away in its own time, which is not the package's.
    await page.waitForFunction(async () => (await navigator.locks.query()).held.length === 0);

    // A prompt still open in the wallet is for a page that is gone.
    wallet.holds = false;
    const asked = wallet.prompts.length;
    const resumed = way === "close one of two" ? await page.evaluate(() => resume()) : await connect(page, user);
    assert.equal(wallet.prompts.length, asked, "resume opens no prompt");
    for (const { error, busy } of resumed) assert.deepEqual({ error, busy }, { error: null, busy: false });
    const listed = await page.evaluate(() => listTrades());
    assert.ok(listed.length <= 1, `${listed.length} trades are listed`);
    const isDone = (await user.owned()).length;
    if (isKept) {
      assert.equal(listed.length, 1, "what was signed is listed");
      const [{ state, signedAt }] = listed;
      // After a minute the user decides; no machine is to be that slow.
      assert.ok(["posted", "sent", "ended"].includes(state), `what was signed ${Date.now() - signedAt} ms ago is ${state}`);
      assert.equal(isDone, 1, "what was signed is there after resume");
    }
    const again = await make(page, trade, user, answers === "never answers");
    assert.ok([undefined, "ALREADY_SIGNED"].includes(again.code), `made again: ${again.code} ${again.message}`);
    if (isKept || isDone) assert.equal(wallet.prompts.length, asked, "nobody is asked again for what is signed");

    // Late answers arrive now.
    if (answers === "answers late") await wallet.answer();
    await user.release();
    const owned = await user.owned();
    const isSent = ["Market", "Batch"].includes(trade);
    const isUncertain = isSent && again.code === "ALREADY_SIGNED";
    if (!isUncertain || isDone || answers === "answers late") assert.equal(owned.length, 1, "one in the end");
    else assert.equal(owned.length, 0, "none in the end");
    const signed = wallet.prompts.filter(({ isAnswered, method }) => isAnswered && method === SIGN).map(({ params }) => JSON.parse(params[1]).message);
    assert.ok(new Set(signed.map(({ nonce, nonceAndMeta }) => nonce ?? nonceAndMeta)).size <= 1, "one nonce");
    if (answers === "never answers" && !isSent) {
      assert.equal(new Set(wallet.prompts.map(({ params }) => params[1])).size, 1, "the very same bytes are asked for again");
    }
    assert.deepEqual(tabs.complaints, []);
  } finally {
    await tabs.close();
  }
}

/** One cell of each class: the steps of a kind, with what service and wallet do. The ways of dying take turns. */
export function oneOfEach(cells) {
  const classes = new Map();
  for (const cell of cells) {
    const name = [cell.trade, cell.step.split(" ")[0], cell.service, cell.answers].join();
    classes.set(name, [...(classes.get(name) ?? []), cell]);
  }
  return [...classes.values()].map((alike, place) => alike[(7 * place) % alike.length]);
}

/** A row of the table in docs/hardening.md: steps, cells, and how many of these by each way. */
export function row(trade, cells) {
  const steps = new Set(cells.map(({ step, service, answers }) => [step, service, answers].join()));
  const ways = Object.keys(WAYS).map((name) => cells.filter(({ way }) => way === name).length);
  return `| ${[trade, steps.size, ...ways, cells.length].join(" | ")} |`;
}

/** How often the count that tabs share is written depends on the time that passes: a trade may end before that write. */
async function untilReached(world, cell) {
  for (let tries = 3; ; tries--) {
    try {
      return await run(world, cell);
    } catch (error) {
      if (tries === 1 || !/\brateLimit\b/.test(cell.step) || !error.message.startsWith(NEVER)) throw error;
    }
  }
}

/** Runs cells, some at a time: the failures as text. */
export async function failures(world, cells) {
  const failed = [];
  const queue = cells.values();
  const work = async () => {
    for (const cell of queue) {
      const hangs = new AbortController();
      const late = sleep(LIMIT_MS, undefined, { signal: hangs.signal }).then(() => assert.fail("it hangs"), () => {});
      await Promise.race([untilReached(world, cell), late]).catch(({ message }) => failed.push(`${cell.name}: ${message}`));
      hangs.abort();
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, work));
  return failed;
}
