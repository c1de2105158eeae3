import { createClient, formatUnits, isTradeError, VELORA_BASE_URL } from "verified-swap";
import { discoverWallets } from "verified-swap/viem";

const $ = (id) => document.getElementById(id);
const say = (text) => ($("status").textContent = text);
const REFUSED = "Nothing was sent.";
// Such as a service that is not there.
addEventListener("error", ({ message }) => say(message));

// A link chooses a sandbox only where the page is served on the own machine.
const sandbox = ["127.0.0.1", "localhost"].includes(location.hostname) && new URLSearchParams(location.search).get("sandbox");
const { chainId, ...options } = sandbox
  ? await optionsOf(sandbox)
  : { chainId: 8453, baseUrl: VELORA_BASE_URL, rpc: { 8453: "https://mainnet.base.org" } };
let client = await createClient(options);
/** The connected account; null before. */
let account = null;

const { tokens } = await client.info.tokens({ chainId });

const wallets = discoverWallets((found) => $("wallets").replaceChildren(...found.map(walletButton)));

function walletButton({ info, provider }) {
  const button = element("button", `Connect ${info.name}`);
  button.onclick = () =>
    attempt(async () => {
      [account] = await provider.request({ method: "eth_requestAccounts" });
      // Another account has other allowances.
      provider.on?.("accountsChanged", ([next]) => same(next, account) || location.reload());
      wallets.close();
      client = client.withWallet({ wallet: provider, switchChain: true });
      $("wallets").textContent = `${info.name}: ${short(account)}`;
      $("again").hidden = false;
      $("again").focus();
      await read();
    });
  return button;
}

$("again").onclick = () => attempt(() => read());

/** Allowances to the service's contracts, old ones too, and beside each what open orders need of it. */
async function read(done = "") {
  say(`${done} Reading…`);
  const { allowances, unread, fromBlock } = await client.approvals.list({ chainId, account }).catch((error) => {
    for (const id of ["allowances", "searched"]) $(id).replaceChildren();
    throw new Error(`${done} What is allowed now could not be read: ${error.message}`);
  });
  const entries = await Promise.all(allowances.toSorted(byUrgency).map(async (one) => ({ one, needed: await neededOf(one) })));
  $("allowances").replaceChildren(...entries.map(entry));
  // A short list is no promise: the page says where it did not search.
  const gaps = [
    fromBlock === null ? "The node returns no logs: only known tokens were searched." : fromBlock > 0 && `Logs were read from block ${fromBlock} on; of earlier approvals only those of known tokens are here.`,
    unread.length > 0 && `${unread.length} tokens gave no answer: nothing is known of them.`,
  ];
  $("searched").textContent = gaps.filter(Boolean).join(" ");
  say(done || (allowances.length === 0 ? "No allowance was found." : ""));
}

/** Old contracts first: no trade needs them. A token that only logs name may be anybody's: last. */
function byUrgency(one, other) {
  const place = (allowance) => Number(!isNamed(allowance)) * 2 + Number(allowance.isCurrent);
  return place(one) - place(other);
}

/** Whether package, journal or service name the token. */
function isNamed({ isKnown, token }) {
  return isKnown || listedAt(token) !== undefined;
}

function listedAt(token) {
  return tokens.find(({ address }) => same(address, token));
}

/**
 * Raw units that the open orders of that path need; null if that is not known. The Market router has no open orders, and
 * an old contract none of today.
 */
async function neededOf({ isCurrent, contract, token }) {
  if (!isCurrent || contract === "market") return "0";
  return client.approvals.needed({ chainId, token, amount: "0", account, path: contract }).catch(() => null);
}

function entry({ one, needed }) {
  const what = one.isUnlimited ? `all ${nameOf(one)} that you have and will have` : amountOf(one, one.amount);
  const words = element("span", `${one.name} may take ${what}`);
  const notes = [
    one.kind === "permit2" && "Through Permit2.",
    one.expiration !== null && `Until ${timeOf(one.expiration)}.`,
    !one.isCurrent && "An old contract, which no trade needs any more.",
    !isNamed(one) && "Only logs name this token: anybody can make one. Do not trust its name.",
    neededWords(one, needed),
  ].filter(Boolean);
  words.append(...notes.map((note) => element("small", note)));
  const button = element("button", "Revoke");
  button.ariaLabel = `Revoke: ${one.name}, ${nameOf(one)}${one.kind === "permit2" ? ", through Permit2" : ""}`;
  button.onclick = () => attempt(() => revoke(one, needed));
  const item = element("li", "");
  item.append(words, button);
  return item;
}

function neededWords(one, needed) {
  if (needed === null) return "What open orders need of it could not be read.";
  return needed !== "0" && `Open orders need ${amountOf(one, needed)} of it.`;
}

/** A transaction, reviewed before it is sent. Then all is read again: the chain says what is left. */
async function revoke(one, needed) {
  const build = await client.approvals.buildRevoke(one);
  await review(build.report, needed === "0" ? "" : `${neededWords(one, needed)} Without it they pause or fail.`);
  const sent = await client.wait(await client.submit(build, { onProgress: ({ message }) => say(message) }));
  const where = `transaction ${sent.hash ?? "of the wallet's batch"}${sent.blockNumber === null ? "" : ` in block ${sent.blockNumber}`}`;
  await read(sent.status === "COMPLETED" ? `Taken back: ${where}.` : `It ended as ${sent.status}: ${where}.`);
  $("again").focus(); // its own button is gone
}

/** Rejects if the user goes back. */
function review({ sentence, checks }, warning) {
  $("sentence").textContent = sentence;
  $("warning").textContent = warning;
  $("checks").replaceChildren(...checks.map(({ field, actual, verdict }) => element("li", `${verdict}: ${field} ${actual}`)));
  const dialog = Object.assign($("review"), { returnValue: "" });
  dialog.showModal();
  return new Promise((resolve, reject) => {
    dialog.onclose = () => (dialog.returnValue === "yes" ? resolve() : reject(new Error(REFUSED)));
  });
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

/** The service's name of a token, quoted, and the address, which identifies it. */
function nameOf({ token }) {
  const listed = listedAt(token);
  return listed ? `“${listed.symbol}” (${short(token)})` : token;
}

/** `decimals` are the package's or the token's own. */
function amountOf(one, amount) {
  return one.decimals === null ? `${amount} raw units of ${nameOf(one)}` : `${formatUnits(amount, one.decimals)} ${nameOf(one)}`;
}

/** Permit2 takes ends that are in no calendar. */
function timeOf(seconds) {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? `second ${seconds} since 1970` : date.toLocaleString();
}

function same(one, other) {
  return Boolean(one) && one.toLowerCase() === other?.toLowerCase();
}

function short(address) {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}

function element(name, textContent) {
  return Object.assign(document.createElement(name), { textContent });
}

async function optionsOf(baseUrl) {
  const { chains: [{ chainId }], clientOptions } = await (await fetch(`${baseUrl}/sandbox/config`)).json();
  return { chainId, ...clientOptions };
}
