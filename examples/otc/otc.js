import { createClient, formatUnits, isTradeError, parseAddress, parseUnits, summarizeOtcOrder, VELORA_BASE_URL } from "verified-swap";
import { discoverWallets } from "verified-swap/viem";

const $ = (id) => document.getElementById(id);
const REFUSED = "Nothing was signed or sent.";
const say = (text) => ($("status").textContent = text);
// Such as a service that is not there.
addEventListener("error", ({ message }) => say(message));

// Links to this page are passed around, so a link chooses a sandbox only where the page is served on the own machine.
const parameters = new URLSearchParams(location.search);
const sandbox = ["127.0.0.1", "localhost"].includes(location.hostname) && parameters.get("sandbox");
const { chainId, ...options } = sandbox
  ? await optionsOf(sandbox)
  : { chainId: 8453, baseUrl: VELORA_BASE_URL, rpc: { 8453: "https://mainnet.base.org" } };
let client = await createClient(options);
/** The connected wallet and its account; null before. */
let wallet = null;
let account = null;
/** The order in view, as it was verified last; null if there is none. */
let shown = null;

// An OTC order trades ERC-20 tokens: the native token has no contract to take it.
const tokens = (await client.info.tokens({ chainId })).tokens.filter(({ address }) => !/^0xe+$/i.test(address));
for (const id of ["maker-token", "taker-token"]) $(id).append(...tokens.map(({ symbol }, index) => new Option(symbol, index)));
$("taker-token").selectedIndex = 1;

const wallets = discoverWallets((found) => $("wallets").replaceChildren(...found.map(walletButton)));
// An order of a link is only shown: taking it is a button, a review and a prompt of the wallet.
// It does not wait for a wallet, nor a wallet for it.
if (parameters.has("order")) show(parameters.get("order")).catch(({ message }) => say(message));

function walletButton({ info, provider }) {
  const button = element("button", `Connect ${info.name}`);
  button.onclick = () =>
    attempt(async () => {
      [account] = await provider.request({ method: "eth_requestAccounts" });
      wallet = provider;
      // Another account sees other orders and buttons.
      provider.on?.("accountsChanged", ([next]) => same(next, account) || location.reload());
      wallets.close();
      client = client.withWallet({ wallet: provider, switchChain: true });
      $("wallets").textContent = `${info.name}: ${short(account)}`;
      Object.assign($("make"), { disabled: false, textContent: "Review order" });
      if (shown) return show(shown.orderHash);
      $("give").focus();
      await list();
    });
  return button;
}

$("form").onsubmit = (event) => {
  event.preventDefault();
  void attempt(async () => {
    const [maker, taker] = [tokens[$("maker-token").value], tokens[$("taker-token").value]];
    const build = await client.otc.build(
      {
        chainId,
        makerAsset: maker.address, makerDecimals: maker.decimals, makerSymbol: maker.symbol,
        takerAsset: taker.address, takerDecimals: taker.decimals, takerSymbol: taker.symbol,
        makerAmount: parseUnits($("give").value.trim(), maker.decimals),
        takerAmount: parseUnits($("want").value.trim(), taker.decimals),
        taker: $("taker").value.trim() || undefined,
        expiry: Math.floor(Date.now() / 1000) + Number($("hours").value) * 3600,
      },
      // The open orders share one allowance with this one.
      { coverOpenOrders: true },
    );
    const { orderHash } = await carryOut(build);
    await conclude("The order is posted. Its link is for those who may take it.", orderHash);
  });
};

$("take").onclick = () =>
  attempt(async () => {
    // Built from the order that is shown, and held to it and to the chain.
    const { maker, taker } = namesOf(shown);
    const options = {
      makerDecimals: maker?.decimals ?? (await ownDecimals(shown.makerAsset)), makerSymbol: maker?.symbol,
      takerDecimals: taker?.decimals ?? (await ownDecimals(shown.takerAsset)), takerSymbol: taker?.symbol,
    };
    await send(await client.otc.buildFill(shown, options), "Taken");
  });

$("cancel").onclick = () => attempt(async () => send(await client.otc.buildCancellation(shown), "Cancelled"));

/** Reviews and sends the transaction, waits for its block, and says the receipt. */
async function send(build, done) {
  const sent = await client.wait(await carryOut(build));
  const where = `transaction ${sent.hash ?? "of the wallet's batch"}${sent.blockNumber === null ? "" : ` in block ${sent.blockNumber}`}`;
  await conclude(sent.status === "COMPLETED" ? `${done}: ${where}.` : `It ended as ${sent.status}: ${where}.`, shown.orderHash);
}

/** Says the receipt, also if the order cannot be read now. */
async function conclude(receipt, orderHash) {
  const failure = await show(orderHash).then(() => "", ({ message }) => ` The order cannot be read now: ${message}`);
  say(receipt + failure);
}

/** The review, then the approval that is missing, then the signature or the transaction. */
async function carryOut(build) {
  const accept = await review(build);
  const asked = { accept, onProgress: ({ message }) => say(message) };
  if (build.approval) await client.approve(build.approval, asked);
  return client.submit(build, asked);
}

/** Shows the order of that hash. The service's answer is refused if it does not hash to it, before any of it is shown. */
async function show(orderHash) {
  $("offer").hidden = true;
  shown = null;
  const order = await client.otc.order(orderHash);
  if (order.unverified || order.chainId !== chainId) throw new Error("This page cannot verify that order, so it is not shown.");
  const { state, leftMakerAmount, leftTakerAmount, isTerminal } = summarizeOtcOrder(order, undefined, await client.otc.remaining(order));
  const { maker, taker } = namesOf(order);
  const isMine = same(order.maker, account);
  const isForAnyone = /^0x0+$/.test(order.taker);
  const isForMe = isForAnyone || same(order.taker, account);
  $("offer-title").textContent = `Order, ${state.toLowerCase()}`;
  const facts = {
    "Maker gives": amountOf(order.makerAmount, maker, order.makerAsset),
    "Taker pays": amountOf(order.takerAmount, taker, order.takerAsset),
    // By the contract, whatever the service says.
    Left: leftMakerAmount === "0" ? "Nothing" : `${amountOf(leftMakerAmount, maker, order.makerAsset)} for ${amountOf(leftTakerAmount, taker, order.takerAsset)}`,
    Maker: `${isMine ? "You, " : ""}${parseAddress(order.maker)}`,
    "Open to": isForAnyone ? "Anyone" : parseAddress(order.taker),
    Until: order.expiry === 0 ? "It does not expire" : timeOf(order.expiry),
    Hash: order.orderHash,
  };
  $("facts").replaceChildren(...Object.entries(facts).flatMap(([name, value]) => [element("dt", name), element("dd", value)]));
  const link = new URL(location.href);
  link.searchParams.set("order", order.orderHash);
  history.replaceState(null, "", link);
  $("link").value = link.href;
  $("cancel").hidden = !isMine || isTerminal;
  $("take").hidden = isMine || isTerminal;
  $("take").disabled = !account || !isForMe;
  $("take").textContent = !account ? "Connect a wallet to take it" : isForMe ? "Take this order" : "For another account";
  shown = order;
  $("offer").hidden = false;
  // A link's order arrives later than the page: the focus stays where its reader has put it.
  if (account || document.activeElement === document.body) $("offer-title").focus();
  if (account) await list();
}
$("link").onfocus = () => $("link").select();

/** The orders that the account made, and those that name it as their taker. */
async function list() {
  const [made, named] = await Promise.all([client.otc.orders({ chainId, maker: account }), client.otc.orders({ chainId, taker: account })]);
  const orders = [...made.orders, ...named.orders].filter(({ unverified }) => !unverified);
  $("offers").replaceChildren(...orders.map(entry));
  if (made.hasMore || named.hasMore) $("offers").append(element("li", "There are more than this page reads."));
  if (orders.length === 0) $("offers").append(element("li", "None."));
}

function entry(order) {
  const { maker, taker } = namesOf(order);
  const [gives, pays] = [amountOf(order.makerAmount, maker, order.makerAsset), amountOf(order.takerAmount, taker, order.takerAsset)];
  const button = element("button", `${gives} for ${pays}: ${summarizeOtcOrder(order).state.toLowerCase()}`);
  button.onclick = () => attempt(() => show(order.orderHash));
  const item = element("li", "");
  item.append(button);
  return item;
}

/** Resolves to the ids of the accepted questions. Rejects if the user goes back. */
function review({ report: { sentence, checks, questions }, approval }) {
  $("sentence").textContent = sentence;
  $("approval").textContent = approval
    ? `First you approve ${amountOf(approval.amount, tokenAt(approval.token), approval.token)} for ${approval.spender}, and no more.`
    : "";
  $("questions").replaceChildren(...questions.map(questionLabel));
  const ticked = () => [...$("questions").querySelectorAll(":checked")].map(({ value }) => value);
  $("questions").onchange = () => ($("agree").disabled = ticked().length < questions.length);
  $("questions").onchange();
  $("checks").replaceChildren(...checks.map(({ field, actual, verdict }) => element("li", `${verdict}: ${field} ${actual}`)));
  const dialog = Object.assign($("review"), { returnValue: "" });
  dialog.showModal();
  return new Promise((resolve, reject) => {
    dialog.onclose = () => (dialog.returnValue === "yes" ? resolve(ticked()) : reject(new Error(REFUSED)));
  });
}

function questionLabel({ id, text }) {
  const label = element("label", "");
  label.append(Object.assign(document.createElement("input"), { type: "checkbox", value: id }), ` ${text} I accept that.`);
  return label;
}

/** Does what a button is for, one thing at a time, and says why it failed. */
async function attempt(work) {
  if (document.body.ariaBusy === "true") return;
  document.body.ariaBusy = "true";
  try {
    say("");
    await work();
  } catch (error) {
    say(isTradeError(error, "USER_REJECTED") ? REFUSED : error.message);
  } finally {
    document.body.ariaBusy = "false";
  }
}

/** Decimals of a token that the list does not have, by its contract through the wallet. `buildFill` holds all to the chain. */
async function ownDecimals(to) {
  return Number(await wallet.request({ method: "eth_call", params: [{ to, data: "0x313ce567" }, "latest"] }));
}

/** Names and decimals are the service's word: an address identifies a token. */
function tokenAt(address) {
  return tokens.find((token) => same(token.address, address));
}

function namesOf({ makerAsset, takerAsset }) {
  return { maker: tokenAt(makerAsset), taker: tokenAt(takerAsset) };
}

function amountOf(amount, token, address) {
  if (!token) return `${amount} raw units of a token that is not in the list, ${parseAddress(address)}`;
  return `${formatUnits(amount, token.decimals)} “${token.symbol}” (${short(parseAddress(address))})`;
}

function same(one, other) {
  return Boolean(one) && one.toLowerCase() === other?.toLowerCase();
}

function short(address) {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}

/** An order may say an end that is in no calendar. */
function timeOf(seconds) {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? `second ${seconds} since 1970` : date.toLocaleString();
}

function element(name, textContent) {
  return Object.assign(document.createElement(name), { textContent });
}

async function optionsOf(baseUrl) {
  const { chains: [{ chainId }], clientOptions } = await (await fetch(`${baseUrl}/sandbox/config`)).json();
  return { chainId, ...clientOptions };
}
