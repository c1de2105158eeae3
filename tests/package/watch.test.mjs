// The schedule of watches on a simulated clock: which requests leave, when, and that no end escapes them. An answer's meaning
// is the module's (crates/trade/tests/flows/{followed,unseen,reported}.rs); here it is what the book has.
import assert from "node:assert/strict";
import test from "node:test";
import { Book, Browser, id, named } from "./watched.mjs";

const [HOUR, DAY] = [3_600_000, 86_400_000];
const account = { account: "owner" };

/** A browser of one tab, and a book with so many open orders, and so many that ended long ago. */
function world(open, ended = 0, settings = {}) {
  const browser = new Browser();
  const book = Object.assign(new Book(browser.clock), settings);
  for (let index = 0; index < open; index++) book.post("ACTIVE");
  for (let index = 0; index < ended; index++) book.change(book.post("ACTIVE"), "COMPLETED");
  return { browser, book, clock: browser.clock, tab: browser.tab(book) };
}

/** Follows alone until that time. */
async function follow(world, what, until) {
  const [seen] = await world.clock.run([world.tab.follow(what, until)]);
  return seen;
}

/** The requests: those of one time together, and as one line what is repeated at the same distance. */
function lines({ book }) {
  const times = [];
  for (const [at, what] of book.asked) {
    if (times.at(-1)?.at === at) times.at(-1).all += `, ${what}`;
    else times.push({ at, all: what });
  }
  const lines = [];
  for (let index = 0; index < times.length; ) {
    const { at, all } = times[index];
    const step = times[index + 1]?.at - at;
    let last = index;
    while (times[last + 1]?.at - times[last].at === step && times[last + 1].all === all) last++;
    if (last < index + 2) last = index;
    lines.push(`${at}${last > index ? `..${times[last].at} by ${step}` : ""}: ${all}`);
    index = last + 1;
  }
  return lines;
}

const trimmed = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);

/** Holds a world to these requests. */
const assertAsked = (world, text, message) => assert.deepEqual(lines(world), trimmed(text), message);

/** When orders are looked at that change at these times. */
function looks(changes, until) {
  let [at, pause, changed] = [0, 0, 0];
  const looks = [];
  while (at < until) {
    const isNew = at === 0 || changes.some((change) => looks.at(-1) <= change - 1 && change - 1 < at);
    [pause, changed] = isNew ? [2_000, at] : [Math.floor((pause * 3) / 2), changed];
    pause = Math.min(pause, at - changed < 300_000 ? 15_000 : 55_000);
    looks.push(at);
    at += pause;
  }
  return looks;
}

for (const [count, request] of [[1, "0"], [2, "open 1/50"], [4, "open 1/50"], [50, "open 1/50"]]) {
  test(`${count} orders are asked for at once, and the more rarely the longer nothing changed`, async () => {
    const one = world(count);
    const changes = [100_000, 700_000, 1_005_000];
    changes.forEach((at, index) => one.book.changeAt(at, 0, ["SUSPENDED", "BRIDGING", "REFUNDING"][index]));
    const seen = await follow(one, named(0, count), 3_000_000);
    assert.deepEqual(seen.of(0), ["ACTIVE", "SUSPENDED", "BRIDGING", "REFUNDING"]);
    assert.deepEqual(one.book.asked, looks(changes, 3_000_000).map((at) => [at, request]));
  });
}

/** Worlds that are followed alone, and the requests that leave: [what, world, argument, until, requests, and more]. */
const ALONE = [
  [
    "of more than fifty the number that ended is asked for, and all every ten minutes",
    () => {
      const one = world(51);
      one.book.changeAt(1_000, 7, "BRIDGING");
      return one;
    },
    named(0, 51),
    1_400_000,
    `0: ended 1/10
    55000: open 1/1000
    110000..605000 by 55000: ended 1/10
    660000: open 1/1000
    715000..1210000 by 55000: ended 1/10
    1265000: open 1/1000
    1320000: ended 1/10
    1375000: ended 1/10`,
    (seen) => assert.deepEqual(seen.of(7), ["BRIDGING"]),
  ],
  [
    "so are those of an account",
    () => world(60),
    account,
    700_000,
    `0: open 1/50, ended 1/10
    3000: open 1/1000, ended 1/10
    58000..553000 by 55000: ended 1/10
    608000: open 1/1000
    663000: ended 1/10`,
  ],
  [
    "of four or fewer of many each is asked for by itself",
    () => world(60),
    named(0, 4),
    23_000,
    `0: open 1/50, 0, 1
    1000: 2
    2000: 3
    3000: 0
    4000: 1
    5000: 2
    6000: 3
    7000: 0
    8500: 1
    11750: 2
    16125: 3
    22000: 0`,
  ],
  [
    "of five of many the number that ended is, until four are left",
    () => {
      const one = world(60);
      one.book.changeAt(200_000, 0, "COMPLETED");
      return one;
    },
    named(0, 5),
    240_000,
    `0: open 1/50, ended 1/10
    3000: open 1/1000
    5000: ended 1/10
    8000: ended 1/10
    12500: ended 1/10
    19250: ended 1/10
    29375..209375 by 15000: ended 1/10
    224375: 1, 2, 3
    225375: 4
    239375: 1, 2, 3`,
  ],
  [
    "an end that is looked for does not put off the next look at all",
    () => {
      const one = world(60, 20);
      one.book.changeAt(200_000, 0, "COMPLETED");
      return one;
    },
    named(0, 60),
    700_000,
    `0: ended 1/10
    55000: open 1/1000
    110000: ended 1/10
    165000: ended 1/10
    220000: ended 1/10, ended 1/1000
    275000..605000 by 55000: ended 1/10
    660000: open 1/1000`,
  ],
  [
    "it does not help to ask for fewer and fewer: of an account that is an error",
    () => world(60, 0, { largestPage: 9 }),
    account,
    400_000,
    `0: open 1/50, open 1/25, open 1/13
    1000: open 1/10
    4000: open 1/10
    8500: open 1/10
    15250: open 1/10
    25375..70375 by 15000: open 1/10`,
    (seen) => assert.equal(seen.error.code, "SERVICE_MALFORMED"),
  ],
];

for (const [what, begin, argument, until, requests, more] of ALONE) {
  test(what, async () => {
    const one = begin();
    const seen = await follow(one, argument, until);
    assertAsked(one, requests);
    more?.(seen);
  });
}

test("all orders of an account are looked for among the open ones and those that ended in turn", async () => {
  const one = world(3, 4);
  await follow(one, account, 1_000_000);
  assert.ok(one.book.asked.every(([, what], index) => what === ["open 1/50", "ended 1/10"][index % 2]));
  // The first two at once.
  assert.deepEqual(one.book.asked.slice(0, 8).map(([at]) => at), [0, 0, 3_000, 7_500, 14_250, 24_375, 39_375, 54_375]);
});

const ENDED_PAGES = `121000: ended 1/10
  176000: ended 1/10
  231000: ended 1/10, ended 1/10, ended 2/10
  232000: ended 3/10
  233000: ended 4/10
  234000: ended 5/10
  235000: ended 6/10
  236000: ended 7/10`;
const OPEN_PAGES = `121000: ended 1/10
  176000: ended 1/10
  231000: ended 1/10, open 1/10, open 2/10
  232000: open 3/10
  233000: open 4/10
  234000: open 5/10
  235000: open 6/10
  236000: 0`;

// Seven pages of those that ended; or six of those that are open, and a request for what is not among them. The last ones
// that ended come along with their number.
for (const [ended, sort, gone, requests] of [
  [0, "oldest", 1, "121000..286000 by 55000: ended 1/10"],
  [0, "oldest", 9, "121000..286000 by 55000: ended 1/10"],
  [71, "lastChanged", 1, "121000..286000 by 55000: ended 1/10"],
  [71, "lastChanged", 9, "121000..286000 by 55000: ended 1/10"],
  [69, "newest", 1, ENDED_PAGES],
  [70, "newest", 1, OPEN_PAGES],
  [78, "newest", 2, `${ENDED_PAGES}\n237000: ended 8/10`],
  [79, "newest", 2, `${OPEN_PAGES}\n237000: 3`],
]) {
  test(`${gone} ends among sixty orders beside ${ended}, ${sort} first, are looked for where fewer pages have them`, async () => {
    const one = world(60, ended, { sort, largestPage: 10 });
    for (let index = 0; index < gone; index++) one.book.changeAt(200_000, index * 3, "COMPLETED");
    const seen = await follow(one, named(0, 60), 290_000);
    assert.equal(seen.error.code, "ABORTED");
    assert.equal(seen.when("COMPLETED").size, gone);
    // An answer that is too large is asked for again with half as many orders a page.
    assertAsked(one, `0: ended 1/10
      55000: open 1/1000, open 1/500, open 1/250
      56000: open 1/125
      57000: open 1/63
      58000: open 1/32
      59000: open 1/16
      60000: open 1/10
      61000: open 1/10
      62000: open 2/10
      63000: open 3/10
      64000: open 4/10
      65000: open 5/10
      66000: open 6/10
      ${requests}`);
  });
}

test("an order that a list of open ones lost is asked for by itself, or in the pages of those that ended", async () => {
  const one = world(9);
  for (const [at, from, to] of [[100_000, 0, 1], [200_000, 1, 3], [300_000, 3, 5], [400_000, 5, 8]]) {
    for (let index = from; index < to; index++) one.book.changeAt(at, index, "CANCELLED");
  }
  const seen = await follow(one, named(0, 9), 500_000);
  assert.equal(seen.when("CANCELLED").size, 8);
  assert.deepEqual(one.book.asked.filter(([, what]) => what !== "open 1/50"), [
    [101_375, "0"],
    // None of those that ended was known.
    [206_375, "ended 1/1000"],
    // As many requests as the one page, and one more.
    [311_375, "3"],
    [311_375, "4"],
    [418_250, "ended 1/1000"],
    [473_250, "8"],
  ]);
});

for (const [count, then] of [
  [4, "67250: open 1/50\n77375: open 1/50\n92375: open 1/50"],
  [5, "67250..71250 by 2000: open 1/50\n74250: open 1/50\n78750: open 1/50\n85500: open 1/50\n95625: open 1/50"],
]) {
  test(`${count} watches of single orders join in one request`, async () => {
    const one = world(count);
    await one.clock.run(Array.from({ length: count }, (_, index) => one.tab.follow(named(index), 100_000, { after: index * 17_000 })));
    assertAsked(one, `0: 0
      2000: 0
      5000: 0
      9500: 0
      16250: 0
      17000: 1
      19000: 1
      22000: open 1/50
      26500: 1
      33250: open 1/50
      34000: 2
      36000: 2
      39000: open 1/50
      43500: 2
      50250: open 1/50
      51000: 3
      53000: 3
      56000: open 1/50
      60500: 3
      ${then}`);
  });
}

test("tabs that follow other orders of one owner ask for a page, as long as they hear of each other", async () => {
  const one = world(2);
  const other = one.browser.tab(one.book);
  await one.clock.run([one.tab.follow(named(0), 400_000), other.follow(named(1), 100_000, { after: 20_000 })]);
  assertAsked(one, `0: 0
    2000: 0
    5000: 0
    9500: 0
    16250: 0
    20000: 1
    22000: 1
    25000: 1
    26375: open 1/50
    33125: open 1/50
    43250..73250 by 15000: open 1/50
    88250: 1, open 1/50
    103250..148250 by 15000: open 1/50
    163250..313250 by 15000: 0
    335750: 0
    369500: 0`);
});

test("a lock that another tab does not give back is waited for for half a minute", async () => {
  const one = world(2);
  const other = one.browser.tab(one.book);
  const { lock } = other.shell(() => false);
  const holding = async () => {
    const first = lock("watch/owner");
    await one.clock.wait(60_500);
    first.close();
    await one.clock.wait(400_000);
    // An answer of that tab begins the half minute anew.
    const second = lock("watch/owner");
    await one.clock.wait(60_000);
    other.publish("{}");
    await one.clock.wait(100_000);
    second.close();
  };
  await one.clock.run([holding(), one.tab.follow(named(0, 2), 600_000)]);
  assert.equal(one.tab.locks.size, 0, "what is not got is closed, too");
  assertAsked(one, `30000: open 1/50
    32000: open 1/50
    35000: open 1/50
    39500: open 1/50
    46250: open 1/50
    56375..341375 by 15000: open 1/50
    363875: open 1/50
    397625: open 1/50
    448250: open 1/50
    550500: open 1/50`);
});

test("a list that is refused is asked for no more, and the orders each by itself", async () => {
  const begin = () => {
    const one = world(3);
    one.book.always = ({ page }) => page && { status: 403 };
    return one;
  };
  const one = begin();
  const seen = await follow(one, named(0, 3), 30_000);
  assert.equal(seen.changes.length, 3);
  assertAsked(one, `0: open 1/50
    3000: 0, 1, 2
    5000: 0, 1
    6000: 2
    8000: 0
    9500: 1
    12750: 2
    18125: 0
    24500: 1
    27750: 2`);
  // New orders are found in no other way, which is also an error for a watch of all of them that begins later.
  const alone = await follow(begin(), account, 100_000);
  assert.equal(alone.error.status, 403);
  const both = begin();
  const [, late] = await both.clock.run([both.tab.follow(named(0, 3), 50_000), both.tab.follow(account, 100_000, { after: 10_000 })]);
  assert.equal(late.error.status, 403);
  const large = world(60, 0, { largestPage: 9 });
  assert.equal((await follow(large, named(0, 60), 1_200_000)).when("ACTIVE").size, 60);
});

for (const [namedMs, pause] of [[100_000, 100_000], [1_000, 3_000], [0, 3_000]]) {
  test(`after a failure for which the service names ${namedMs} ms nothing is asked for ${pause} ms`, async () => {
    const one = world(1);
    one.book.next = [undefined, () => ({ retryMs: namedMs })];
    await follow(one, named(0), 200_000);
    const [, failed, next, last] = one.book.asked.map(([at]) => at);
    assert.deepEqual([next - failed, last - next], [pause, 4_500]);
  });
}

test("a hidden page waits four times as long, and looks once it comes into view", async () => {
  const one = world(2);
  one.tab.see(false);
  await one.clock.run([one.tab.follow(named(0, 2), 150_000), one.clock.wait(100_000).then(() => one.tab.see(true))]);
  assertAsked(one, `0: open 1/50
    8000: open 1/50
    20000: open 1/50
    38000: open 1/50
    65000: open 1/50
    100000..145000 by 15000: open 1/50`);
});

for (const silent of [["total"], ["hasMore"], ["limit"], ["total", "hasMore"], ["total", "hasMore", "limit"]]) {
  test(`a page that does not state ${silent} is no end of the list`, async () => {
    for (const [count, what] of [[3, account], [50, account], [120, account], [60, named(0, 60)]]) {
      for (const sort of ["newest", "oldest"]) {
        const one = world(count, 30, { sort, silent, largestPage: 50 });
        one.book.changeAt(200_000, 1, "COMPLETED");
        const seen = await follow(one, what, 400_000);
        const told = `${count} ${sort} ${lines(one).join("\n")}`;
        assert.equal(seen.error.code, "ABORTED", told);
        assert.equal(seen.when("ACTIVE").size, count, told);
        assert.deepEqual([...seen.when("COMPLETED").keys()], [1], told);
        assert.ok(seen.when("COMPLETED").get(1) < 260_000 && one.book.asked.length < 80, told);
      }
    }
  });
}

test("a list that became short is read whole again though its length is not stated", async () => {
  const one = world(51, 0, { silent: ["total"] });
  for (let index = 0; index < 11; index++) one.book.changeAt(100_000, index, "COMPLETED");
  one.book.changeAt(900_000, 20, "BRIDGING");
  const seen = await follow(one, named(0, 51), 990_000);
  assert.ok(seen.when("BRIDGING").get(20) < 960_000, lines(one).join("\n"));
});

test("a list that goes on for ever is left after a hundred thousand orders", async () => {
  const one = world(6);
  one.book.always = ({ page }) => page && { items: [one.book.item(0)], total: 9007199254740991, limit: 25_000, hasMore: true };
  const seen = await follow(one, named(0, 6), 300_000);
  assert.equal(seen.error.code, "ABORTED");
  const asked = one.book.asked.map(([, what]) => what).filter((what) => what.includes("/"));
  // The last begins behind the hundred thousandth.
  const read = ["open 1/50", "ended 1/10", "open 1/1000", "open 2/1000", "open 3/1000", "open 4/1000", "open 5/1000"];
  assert.deepEqual(asked.slice(0, read.length), read);
  assert.ok(asked.slice(read.length).every((what) => what === "ended 1/10"), asked);
});

test("an answer reaches all that wait for it at once", async () => {
  const one = world(1);
  one.tab.latencyMs = 300;
  one.book.changeAt(30_000, 0, "COMPLETED");
  const [first, second] = await one.clock.run([one.tab.follow(named(0), 100_000), one.tab.follow(named(0), 100_000)]);
  assert.equal(first.when("COMPLETED").get(0), 43_475);
  assert.deepEqual(first.changes, second.changes);
});

for (const [count, ended, what, name] of [
  [2, 0, named(0), "one order"],
  [5, 0, named(0, 5), "five"],
  [60, 30, named(0, 60), "sixty"],
  [60, 30, account, "an account"],
]) {
  test(`two tabs that follow ${name} ask for the same as one`, async () => {
    const begin = () => {
      // How much fits on a page each tab finds out by itself.
      const one = world(count, ended, { largestPage: what === account ? 1_000 : 50 });
      one.tab.latencyMs = 300;
      if (count > 1) one.book.changeAt(200_000, 1, "COMPLETED");
      return one;
    };
    const [alone, both] = [begin(), begin()];
    await follow(alone, what, 800_000);
    const other = Object.assign(both.browser.tab(both.book), { latencyMs: 300 });
    const [first, second] = await both.clock.run([both.tab.follow(what, 800_000), other.follow(what, 800_000)]);
    assert.deepEqual(lines(both), lines(alone));
    assert.deepEqual(first.changes, second.changes);
  });
}

test("a second watch of an account has what the first one knows", async () => {
  const one = world(3, 1);
  one.book.changeAt(20_000, 0, "COMPLETED");
  const [first, second] = await one.clock.run([one.tab.follow(account, 100_000), one.tab.follow(account, 100_000, { after: 41_000 })]);
  assert.deepEqual([first.changes.length, second.changes.length], [4, 2]);
  assert.ok(second.changes.every(([at, , status]) => at === 41_000 && status === "ACTIVE"));
});

test("an end is seen though another tab always asks first", async () => {
  for (const count of [4, 60]) {
    const one = world(count, 0, { largestPage: 20 });
    one.book.changeAt(200_000, 0, "COMPLETED");
    const other = one.browser.tab(one.book);
    // A list that the second tab never asks for.
    const [, second] = await one.clock.run([one.tab.follow(named(1, count), 300_000), other.follow(named(0), 300_000)]);
    assert.ok(second.when("COMPLETED").get(0) < 260_000, `${count}`);
  }
});

test("two tabs ask as much as one, and one goes on when the other is closed", async () => {
  const begin = () => {
    const one = world(80);
    one.book.changeAt(HOUR + 60_000, 40, "COMPLETED");
    return one;
  };
  const [alone, both] = [begin(), begin()];
  await follow(alone, account, 2 * HOUR);
  const other = Object.assign(both.browser.tab(both.book), { latencyMs: 300 });
  both.tab.latencyMs = 300;
  const [first, second] = await both.clock.run([both.tab.follow(account, HOUR), other.follow(account, 2 * HOUR)]);
  assert.deepEqual([first.changes.length, second.changes.length], [80, 81]);
  assert.deepEqual(second.of(40), ["ACTIVE", "COMPLETED"]);
  assert.ok(both.book.asked.length <= alone.book.asked.length + 8, `${both.book.asked.length} of two, ${alone.book.asked.length} of one`);
});

test("of two ends the one that is reported along does not hide the other", async () => {
  for (const what of [account, named(0, 60)]) {
    const one = world(60, 20);
    // The newest two, which are reported along with the number of those that ended.
    for (let index = 0; index < 2; index++) one.book.post("ACTIVE");
    one.book.changeAt(100_000, 80, "COMPLETED");
    for (const [at, index] of [[300_000, 3], [500_000, 4]]) one.book.changeAt(at, index, "COMPLETED");
    one.book.changeAt(500_000, 81, "CANCELLED");
    // Another watch still has the first one: its body does not come back.
    const held = one.tab.follow(named(80), 590_000, { body: () => one.clock.wait(590_000) });
    const [, seen] = await one.clock.run([held, one.tab.follow(what, 590_000)]);
    for (const [at, index] of [[300_000, 3], [500_000, 4]]) {
      assert.ok(seen.when("COMPLETED").get(index) < at + 62_000, `${index} ${lines(one).join("\n")}`);
    }
  }
});

test("what ended before is history, however the service sorts", async () => {
  for (const sort of ["newest", "lastChanged"]) {
    const one = world(3, 9, { sort });
    for (let index = 3; index < 12; index++) one.book.changeAt(1_000 * index, index, "CANCELLED");
    const passing = one.clock.wait(200_000).then(() => one.book.change(one.book.post("PENDING"), "FAILED"));
    const [seen] = await one.clock.run([one.tab.follow(account, 400_000, { after: 100_000 }), passing]);
    assert.deepEqual(seen.changes.map(([, , status]) => status), ["ACTIVE", "ACTIVE", "ACTIVE", "FAILED"], sort);
  }
});

for (const open of [3, 120]) {
  test(`all orders of an account with ${open} open ones have new ones in them and no history`, async () => {
    const one = world(open, 30);
    const posting = async () => {
      await one.clock.wait(20 * 60_000);
      const stays = one.book.post("PENDING");
      // Never seen while it was open.
      one.book.change(one.book.post("PENDING"), "COMPLETED");
      await one.clock.wait(20 * 60_000);
      one.book.change(stays, "CANCELLED");
    };
    const [seen] = await one.clock.run([one.tab.follow(account, HOUR), posting()]);
    assert.equal(seen.changes.length, open + 3);
    assert.deepEqual([seen.of(open + 30), seen.of(open + 31)], [["PENDING", "CANCELLED"], ["COMPLETED"]]);
    assert.ok(seen.when("COMPLETED").get(open + 31) - 20 * 60_000 < 120_000);
  });
}

test("only orders of the chains asked for are yielded", async () => {
  for (const [chains, expected] of [[[], [0, 1, 2, 3]], [[8453], [0]], [[8453, 1], [0, 2]]]) {
    const one = world(0);
    for (const chainId of [8453, 10, 1, undefined]) one.book.post("ACTIVE", { chainId });
    const seen = await follow(one, { ...account, chains }, 20_000);
    assert.deepEqual([...seen.when("ACTIVE").keys()].sort(), expected);
  }
});

test("an order that contradicts in a page is asked for by itself, and eight contradictions in a row are an error", async () => {
  const one = world(5);
  one.book.always = ({ page }) => page && { items: [0, 1, 2, 3, 4].map((index) => ({ ...one.book.item(index), lie: true })), total: 5 };
  const seen = await follow(one, named(0, 5), 3_500);
  assert.equal(seen.when("ACTIVE").size, 5);
  assertAsked(one, "0: open 1/50, 0, 1\n1000: 2\n2000: 3\n3000: 4");
  // For an account's list, and a single order; a readable answer begins the row anew.
  for (const what of [account, named(0)]) {
    for (const [lies, isError] of [[7, false], [8, true]]) {
      const other = world(1);
      const lie = () => ({ items: [{ ...other.book.item(0), lie: true }], total: 1, hasMore: false });
      const honest = ({ page }) => (page ? { items: [], total: 0, hasMore: false } : undefined);
      other.book.next = [...Array(7).fill(lie), honest, ...Array(lies).fill(lie)];
      // As far as lists go, only the open ones lie.
      if (what === account) other.book.always = honest;
      const seen = await follow(other, what, 200_000);
      assert.equal(seen.error.code, isError ? "SERVICE_MALFORMED" : "ABORTED", `${JSON.stringify(what)} ${lies}`);
    }
  }
});

test("what the service reported before may be refused twice in a row, and what it never reported not once", async () => {
  const refusal = () => ({ status: 403 });
  for (const [answers, isError] of [[[refusal], true], [[undefined, refusal, refusal], false], [[undefined, refusal, refusal, refusal], true]]) {
    const one = world(1);
    one.book.next = answers;
    const { error } = await follow(one, named(0), 100_000);
    assert.equal(error.status, isError ? 403 : undefined, `${answers.length}`);
  }
});

test("a status that is final stays, and one that is unknown is followed", async () => {
  const one = world(5);
  one.book.changeAt(60_000, 2, "SETTLING");
  one.book.changeAt(600_000, 2, "COMPLETED");
  one.book.changeAt(700_000, 2, "ACTIVE");
  const seen = await follow(one, named(0, 5), HOUR);
  assert.deepEqual(seen.of(2), ["ACTIVE", "SETTLING", "COMPLETED"]);
});

test("around its deadline an order is asked for each four seconds, and an hour later no more", async () => {
  const one = world(0);
  one.book.post("PENDING", { deadline: 1_800_001_200 });
  const seen = await follow(one, named(0), 10_000_000);
  assert.deepEqual(seen.changes.map(([, , , { ended }]) => ended), [null, "deadline"]);
  const asked = one.book.asked.map(([at]) => at);
  const around = Array.from({ length: 16 }, (_, index) => 1_201_000 + 4_000 * index);
  assert.deepEqual(asked.filter((at) => at > 1_100_000 && at < 1_500_000), [
    1_133_250, 1_188_250, ...around, 1_267_000, 1_276_000, 1_289_500, 1_309_750, 1_340_125, 1_385_687, 1_440_687, 1_495_687,
  ]);
  assert.equal(asked.at(-1), 4_850_687);
  assert.equal(seen.error, undefined);
});

test("what is given up after its deadline is not yielded again though it is still listed", async () => {
  const one = world(0);
  one.book.post("PENDING", { deadline: 1_800_001_200 });
  const seen = await follow(one, account, 10_000_000);
  assert.deepEqual(seen.changes.map(([, , , { ended }]) => ended), [null, "deadline"]);
});

test("an order that is not found is asked for less often than the list that lacks it", async () => {
  const one = world(6);
  one.tab.handedOut.add(id(99));
  const seen = await follow(one, { orders: [...named(0, 6).orders, ...named(99).orders] }, 600_000);
  assert.equal(seen.of(99).length, 1);
  assert.deepEqual(one.book.asked.filter(([, what]) => what === "99").map(([at]) => at), [
    0, 2_000, 5_000, 11_750, 26_750, 41_750, 56_750,
    // From a minute on, with the first page that comes 55 s later.
    116_750, 176_750, 236_750, 296_750, 368_000, 473_625, 528_625, 583_625,
  ]);
});

test("an order alone that is not found is asked for each 55 s after a minute, and each ten minutes after an hour", async () => {
  const one = world(1);
  one.tab.handedOut.add(id(99));
  await follow(one, named(99), 3 * HOUR);
  const asked = one.book.asked.map(([at]) => at);
  asked.slice(1).forEach((at, index) => {
    const pause = at - asked[index];
    assert.ok(at < 60_000 ? pause <= 15_000 : pause === (at < HOUR + 55_000 && asked[index] < HOUR ? 55_000 : 600_000), `${asked}`);
  });
  assert.ok(asked.filter((at) => at < 60_000).length >= 6);
});

test("a thousand open orders cost no more than one", async () => {
  const cost = async (count, what) => {
    const one = world(count);
    const seen = await follow(one, what, 6 * HOUR);
    assert.deepEqual([seen.error.code, seen.changes.length], ["ABORTED", count]);
    return one.book.asked.length;
  };
  const [ofAccount, ofOne] = [await cost(1, account), await cost(1, named(0))];
  for (const count of [2, 50, 51, 1_000]) {
    assert.ok((await cost(count, account)) <= ofAccount, `${count}`);
    assert.ok((await cost(count, named(0, count))) <= ofOne, `${count}`);
  }
  assert.ok(ofOne < 430, `${ofOne}: one in 55 s, more at the beginning`);
});

/** Numbers that look random, the same each time. */
function random(seed, count, most) {
  let state = BigInt(seed);
  return Array.from({ length: count }, () => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return Number((state >> 33n) % BigInt(most));
  });
}

test("a thousand orders of a day are seen to end within a minute and three thousand requests", async () => {
  // The dearest way to sort, and pages that do not take all.
  const one = world(1_000, 0, { largestPage: 500 });
  one.tab.latencyMs = 300;
  const ends = ["COMPLETED", "CANCELLED", "EXPIRED", "FAILED"];
  const times = random(7, 1_000, DAY);
  times.forEach((at, index) => one.book.changeAt(at, index, ends[index % ends.length]));
  const seen = await follow(one, named(0, 1_000), DAY + HOUR);
  assert.equal(seen.error, undefined);
  const when = ends.map((end) => seen.when(end));
  const worst = Math.max(...times.map((at, index) => when[index % ends.length].get(index) - at));
  const count = one.book.asked.filter(([at]) => at < DAY).length;
  assert.ok(worst < 60_000 && count < 3_000, `${worst} ms, ${count} requests`);
});

test("eight tabs follow a thousand orders within the rate limit of one", async () => {
  const one = world(1_000, 0, { largestPage: 500 });
  one.browser.line = one.tab.line;
  const tabs = [one.tab, ...Array.from({ length: 7 }, () => one.browser.tab(one.book))];
  for (const tab of tabs) {
    tab.latencyMs = 300;
    // One is in view.
    tab.see(tab === one.tab);
  }
  const times = random(7, 100, 2 * HOUR);
  times.forEach((at, index) => one.book.changeAt(at, index, "COMPLETED"));
  const seen = await one.clock.run(tabs.map((tab) => tab.follow(named(0, 1_000), 2 * HOUR + 60_000)));
  assert.ok(seen.every((one) => one.when("COMPLETED").size === 100));
  const worst = Math.max(...times.map((at, index) => seen[0].when("COMPLETED").get(index) - at));
  // 3,000 a day, of which twelve are two hours.
  assert.ok(worst < 60_000 && one.book.asked.length < 3_000 / 12, `${worst} ms, ${one.book.asked.length} requests`);
});

test("fifty watches ask less than once a second", async () => {
  const one = world(50);
  random(3, 50, 170_000).forEach((at, index) => {
    one.book.changeAt(at, index, "BRIDGING");
    one.book.changeAt(at + 5_000, index, "COMPLETED");
  });
  const seen = await one.clock.run(Array.from({ length: 50 }, (_, index) => one.tab.follow(named(index), HOUR, { after: index * 97 })));
  seen.forEach((one, index) => assert.deepEqual([one.error, one.of(index).at(-1)], [undefined, "COMPLETED"]));
  const inTen = Array.from({ length: 18 }, (_, ten) => one.book.asked.filter(([at]) => Math.floor(at / 10_000) === ten).length);
  assert.ok(one.book.asked.length < 180 && Math.max(...inTen) <= 12, `${one.book.asked.length} in all, ${inTen}`);
});

test("an end between two pages is not lost", async () => {
  for (const sort of ["newest", "oldest", "lastChanged"]) {
    const one = world(300, 0, { sort, largestPage: 60 });
    let [page, next] = [0, 0];
    one.book.afterPage = (book) => {
      // Now at the front of the list, now at its end, while it is read.
      if (++page <= 4 || next >= 150) return;
      book.change(next, "COMPLETED");
      book.change(299 - next, "CANCELLED");
      next++;
    };
    const seen = await follow(one, named(0, 300), 3 * DAY);
    assert.deepEqual([seen.error, seen.when("COMPLETED").size, seen.when("CANCELLED").size], [undefined, 150, 150], sort);
  }
});

test("lists that are away for an hour end nothing", async () => {
  for (const count of [3, 80]) {
    const one = world(count);
    const outage = async () => {
      await one.clock.wait(HOUR);
      one.book.isAway = true;
      for (let index = 0; index < count; index++) one.book.change(index, "COMPLETED");
      await one.clock.wait(HOUR);
      one.book.isAway = false;
    };
    const [seen] = await one.clock.run([one.tab.follow(named(0, count), DAY), outage()]);
    assert.deepEqual([seen.error, seen.when("COMPLETED").size], [undefined, count]);
    assert.ok(seen.at < 2 * HOUR + 70_000, `${seen.at}`);
  }
});

test("nothing stays after the last watch", async () => {
  const one = world(3);
  await one.clock.run([one.tab.follow(named(0, 2), 50_000, { most: 1 }), one.tab.follow(account, 60_000)]);
  assert.deepEqual([one.tab.watches.following.orders.size, one.tab.inboxes.size, one.tab.wakes.size, one.browser.locks.size], [0, 0, 0, 0]);
});

test("the ledger is told after the caller's body, whether it goes on or leaves", async () => {
  const one = world(1);
  one.book.changeAt(10_000, 0, "COMPLETED");
  await one.clock.run([one.tab.follow(named(0), 100_000, { body: () => one.clock.wait(500) })]);
  assert.deepEqual(one.tab.told, [[500, id(0)], [16_750, id(0)]]);
  const other = world(1);
  await other.clock.run([other.tab.follow(named(0), 100_000, { body: () => other.clock.wait(500), most: 1 })]);
  assert.deepEqual(other.tab.told, [[500, id(0)]]);
});

test("a transaction is looked for the more rarely the longer nothing changed", async () => {
  const one = world(0);
  const looks = [];
  one.tab.look = (isSeen) => {
    looks.push([one.clock.now, isSeen]);
    if (looks.length === 3) return {};
    return { sent: { status: "PENDING" }, isEnded: false, told: "it" };
  };
  const seen = await follow(one, { isTransaction: true }, 500_000);
  assert.deepEqual([seen.changes.length, seen.error.code, one.tab.told], [1, "ABORTED", [[0, "it"]]]);
  let at = 0;
  const pauses = [2_000, 3_000, 4_500, 6_750, 10_125, ...Array(19).fill(15_000), 22_500, 33_750, 50_625, 55_000];
  assert.deepEqual(looks, [[0, false], ...pauses.map((pause) => [(at += pause), true])]);
  // To its end, which is the last look.
  const ends = world(0);
  const states = [{ status: "PENDING" }, { status: "COMPLETED" }];
  ends.tab.look = () => ({ sent: states[0], isEnded: states.shift().status === "COMPLETED" });
  const ended = await follow(ends, { isTransaction: true }, 500_000);
  assert.deepEqual([ended.changes.map(([at, , status]) => [at, status]), ended.error], [[[0, "PENDING"], [2_000, "COMPLETED"]], undefined]);
});

test("a long pause by wish is not cut to 15 s", async () => {
  const one = world(1);
  await follow(one, { ...named(0), intervalMs: 20_000 }, 500_000);
  const expected = [...Array.from({ length: 16 }, (_, index) => index * 20_000), 330_000, 375_000, 430_000, 485_000];
  assert.deepEqual(one.book.asked.map(([at]) => at), expected);
});
