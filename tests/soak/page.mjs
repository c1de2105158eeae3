/** The work of the soaked page: trades with a service on paper, through the whole client. */
import { createClient, init } from "verified-swap";
import { CHAIN_ID, USDC, WETH } from "../bench/orders.mjs";
import { BASE_URL, PaperService } from "../bench/paper-service.mjs";
import { PaperWallet } from "../bench/paper-wallet.mjs";

/** The paper keeps what it answered: after so many cycles it is new. */
const SHEET = 100;
const rateLimit = { perSecond: 1_000, burst: 1_000, perDay: 1_000_000_000 };
const REQUEST = { chainId: CHAIN_ID, srcToken: USDC, destToken: WETH, srcDecimals: 6, destDecimals: 18 };

let [service, paper, client] = [];
let cycles = 0;
const wallet = {
  answeredAt: 0,
  request: async (question) => {
    const answer = await paper.request(question);
    if (question.method.startsWith("eth_sign")) wallet.answeredAt = performance.now();
    return answer;
  },
};
let instance;
for (const name of ["instantiate", "instantiateStreaming"]) {
  const make = WebAssembly[name];
  WebAssembly[name] = async (...given) => {
    const made = await make.apply(WebAssembly, given);
    const { exports } = made.instance ?? made;
    // The rest of the module has none: it uses the first part's.
    if (Object.keys(exports).length) instance = { exports };
    return made;
  };
}
/** How large the memory of the package's module is. */
globalThis.moduleBytes = () =>
  Object.values(instance.exports).find((part) => part instanceof WebAssembly.Memory).buffer.byteLength;
await init();
// All of it: the paper has no files.
await (await createClient({ baseUrl: BASE_URL, storage: false })).info.rateLimit();
globalThis.fetch = (...given) => service.fetch(...given);

function newSheet() {
  [service, paper] = [new PaperService(), new PaperWallet()];
}
newSheet();

const open = (storage) =>
  createClient({ baseUrl: BASE_URL, wallet, account: paper.address, rpc: { [CHAIN_ID]: wallet }, advanced: { rateLimit }, storage });

async function built(of) {
  cycles += 1;
  if (cycles % SHEET === 0) newSheet();
  const quote = await of.quote({ ...REQUEST, amount: String(100_000_000 + cycles) });
  return of.build(quote, { slippageBps: 50, deadline: Math.floor(Date.now() / 1000) + 1_100 });
}

globalThis.bench = {
  /** So many times: quote, build, verify. One of 20 builds is signed and posted; in 100 there is one live price, one other client. */
  async soak(count) {
    client ??= await open();
    for (let left = count; left > 0; left--) {
      const build = await built(client);
      if (cycles % 20 === 0) await client.submit(build);
      if (cycles % 100 !== 0) continue;
      const live = client.watchQuotes({ ...REQUEST, amount: "100000000" });
      for await (const { quote } of live) if (quote) break;
      const other = await open();
      await other.trades.list();
      other.close();
    }
    return { cycles, journal: (await client.trades.storage()).state, entries: await entries() };
  },
  /** Storage's cost between the wallet's answer and the post: milliseconds of each trade, and transactions of the database. */
  async timePosts(rounds) {
    const kinds = { with: await open(), without: await open(false) };
    const times = { with: [], without: [] };
    const { transaction } = IDBDatabase.prototype;
    let [transactions, isCounting] = [0, false];
    IDBDatabase.prototype.transaction = function (...given) {
      if (isCounting) transactions += 1;
      return transaction.apply(this, given);
    };
    const { fetch } = globalThis;
    let postedAt;
    globalThis.fetch = (input, init) => {
      if (init?.method === "POST" || input.method === "POST") postedAt = performance.now();
      return fetch(input, init);
    };
    for (let round = 0; round < rounds + 5; round++) {
      for (const [kind, of] of Object.entries(kinds)) {
        isCounting = kind === "with" && round >= 5;
        await of.submit(await built(of));
        isCounting = false;
        if (round >= 5) times[kind].push(postedAt - wallet.answeredAt);
      }
    }
    globalThis.fetch = fetch;
    for (const of of Object.values(kinds)) of.close();
    return { times, transactions: transactions / rounds };
  },
  async close() {
    client?.close();
  },
};

/** How many entries the database has. */
function entries() {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("verified-swap");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const counted = opening.result.transaction("entries").objectStore("entries").count();
      counted.onsuccess = () => {
        opening.result.close();
        resolve(counted.result);
      };
    };
  });
}
