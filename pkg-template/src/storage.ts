// @ts-nocheck
// Entries that outlive the page: names and texts, in IndexedDB or in the application's own storage. They are sealed by
// AES-GCM, which also covers the name. The browser keeps the key and shows it to nobody, not even to a script of the
// page, which may however use it. An entry that is there and cannot be unsealed has the text "": none is written so.
import { openDB } from "./idb.js";

const DATABASE = "verified-swap";
const [ENTRIES, KEYS] = ["entries", "keys"];
const SEALING_KEY = "seal";
/** A prefix that no name has. */
const NOBODYS = "\uffff";
/** What `get` returns; undefined where there is none, or the browser refuses it by throwing, as in a sandboxed frame. */
export function allowed(get) {
  try {
    return get();
  } catch {
    return undefined;
  }
}

export const hasDatabase = () => Boolean(allowed(() => indexedDB));

/** The feature that entries in IndexedDB lack here; undefined if none. */
export function lack() {
  if (!hasDatabase()) return "no IndexedDB";
  if (!allowed(() => crypto.subtle)) return "no WebCrypto: the page is not https";
  return undefined;
}

/** A failure by its name, which the module reads (crates/trade/src/ledger/unread.rs). */
const named = (name, message) => Object.assign(new Error(message), { name });

/** There is no storage here that could be opened: a frame of an opaque origin, or a private window without one. */
export class Absent extends Error {}

/**
 * The browser's failures to open a database that mean this; the last is Chromium's if cookies are blocked. After all
 * others the database may still have entries.
 */
const ABSENT = /^(SecurityError|InvalidStateError)\b|^UnknownError: The user denied permission/;

/** The database of this origin, opened when it is first used. */
export class Database {
  #connection;
  #key;
  #opening;
  #isClosed = false;
  #wasOpen = false;
  #limitMs;

  /** `limitMs`: the time that IndexedDB may take to open. */
  constructor(limitMs) {
    this.#limitMs = limitMs;
  }

  /**
   * The key that seals the entries, read once for each connection: if the database is deleted, so is the key. Another one
   * is made only if there are no `trades()`.
   */
  key(trades) {
    const key = (this.#key ??= sealingKey(this, trades));
    key.catch(() => {
      if (this.#key === key) this.#key = undefined;
    });
    return key;
  }

  /**
   * The result of `work` on one of the stores, once it is written; without a durability it may only read. If it fails,
   * or takes longer than a part of the limit, it is repeated once on a new connection: browsers end connections, such as
   * those of a page in the background, or let them hang, and databases are deleted.
   */
  async use(name, durability, work) {
    for (let retries = 1; ; retries--) {
      const connection = (this.#connection ??= this.#connect());
      let timer, transaction;
      try {
        const database = await connection;
        transaction = database.transaction(name, durability ? "readwrite" : "readonly", { durability });
        const hung = named("HungError", "IndexedDB opens, and does not answer");
        const hangs = new Promise((_, reject) => (timer = setTimeout(reject, this.#limitMs / (2 + retries), hung)));
        const [result] = await Promise.race([Promise.all([work(transaction.store), transaction.done]), hangs]);
        return result;
      } catch (error) {
        // A write that ends after all must not replace a later one.
        allowed(() => transaction?.abort());
        transaction?.done.catch(() => {});
        this.#drop(connection);
        if (retries === 0 || error instanceof Absent) throw error;
      } finally {
        clearTimeout(timer);
      }
    }
  }

  close() {
    this.#isClosed = true;
    clearTimeout(this.#opening);
    this.#drop(this.#connection);
  }

  async #connect() {
    if (this.#isClosed) throw new Error("the client is closed");
    const drop = () => this.#drop(this.#connection);
    const upgrade = (database) => [ENTRIES, KEYS].forEach((name) => database.createObjectStore(name));
    // `blocking`: another tab deletes the database, or has a newer version of it. Some browsers throw at once.
    const opened = (async () => openDB(DATABASE, 1, { upgrade, blocking: drop, terminated: drop }))();
    // Another tab that deletes the database, or keeps it open, holds this up for any time.
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        reject(new Error(`no answer from IndexedDB within ${this.#limitMs} ms`));
        opened.then((database) => database.close(), () => {});
      };
      const timer = setTimeout(giveUp, this.#limitMs);
      this.#opening = timer;
      const fail = (error) => reject(!this.#wasOpen && ABSENT.test(error) ? new Absent(String(error)) : error);
      opened
        .then((database) => {
          this.#wasOpen = true;
          resolve(database);
        }, fail)
        .finally(() => clearTimeout(timer));
    });
  }

  #drop(connection) {
    if (this.#connection === connection) [this.#connection, this.#key] = [];
    connection?.then((database) => database.close()).catch(() => {});
  }
}

/** All entries. `own` is the application's storage, if it passed one; without `database` they are not sealed. */
export class Entries {
  #database;
  #own;
  /** For each name the part that tells its texts apart, and the first reading that had it. */
  #seen = new Map();
  #readings = 0;
  /** The last write. The next one waits for it: a slow one, or one that is repeated, must not end after a later one. */
  #writing = Promise.resolve();

  constructor(database, own) {
    this.#database = database;
    this.#own = own;
  }

  /** Rejects if there is no way to the entries, or to new ones. */
  async check() {
    await this.load(NOBODYS);
    await this.#key();
  }

  /** The entries whose names begin with `prefix`, as [name, text]. */
  async load(prefix) {
    return (await this.changes(prefix, 0))[1];
  }

  /**
   * The number of this reading, and the result of [load]; null in place of a text that is the same as in the reading of
   * the number `since`, and has been in all since. Unsealing and reading a whole journal takes longer than a trade.
   */
  async changes(prefix, since) {
    const reading = ++this.#readings;
    const found = await this.#read(prefix);
    const key = await this.#key()?.catch((error) => (error.name === "LostKeyError" ? undefined : Promise.reject(error)));
    const seen = new Map(found.map(([name, text]) => {
      // No two writes have the same vector.
      const mark = key ? String(text).slice(0, VECTOR) : text;
      const known = this.#seen.get(name);
      return [name, known?.mark === mark ? known : { mark, reading }];
    }));
    for (const name of this.#seen.keys()) if (name.startsWith(prefix)) this.#seen.delete(name);
    const open = async ([name, text]) => {
      if (seen.get(name).reading <= since) return [name, null];
      const opened = key ? await unseal(key, name, text) : this.#database ? undefined : text;
      return [name, typeof opened === "string" ? opened : ""];
    };
    const opened = await Promise.all(found.map(open));
    for (const [name, text] of opened) if (text !== "") this.#seen.set(name, seen.get(name));
    return [reading, opened];
  }

  /** Writes an entry; null deletes it. */
  store(name, text, isDurable) {
    const write = () => this.#write(name, text, isDurable);
    return (this.#writing = this.#writing.then(write, write));
  }

  async #write(name, text, isDurable) {
    const isSealed = text !== null && this.#database;
    const kept = isSealed ? await seal(await this.#key(), name, text) : text;
    if (this.#own) return kept === null ? this.#own.delete(name) : this.#own.set(name, kept);
    const write = (store) => (kept === null ? store.delete(name) : store.put(kept, name));
    return this.#database.use(ENTRIES, isDurable ? "strict" : "relaxed", write);
  }

  #key() {
    return this.#database?.key(() => this.#read("trade/"));
  }

  async #read(prefix) {
    if (this.#own) return this.#readOwn(prefix);
    const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
    return this.#database.use(ENTRIES, undefined, async (store) => {
      const [names, texts] = await Promise.all([store.getAllKeys(range), store.getAll(range)]);
      return names.map((name, place) => [name, texts[place]]);
    });
  }

  async #readOwn(prefix) {
    const names = [...(await this.#own.keys())].filter((name) => String(name).startsWith(prefix));
    return Promise.all(names.map(async (name) => [name, await this.#own.get(name)]));
  }
}

/**
 * The key of the seals. Made once for an origin: if several tabs make one at the same time, the first one's is kept.
 */
async function sealingKey(database, trades) {
  const kept = await database.use(KEYS, undefined, (store) => store.get(SEALING_KEY));
  if (isSealingKey(kept)) return kept;
  if ((await trades()).length > 0) throw named("LostKeyError", "the key that seals the entries is gone");
  const made = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
  return database.use(KEYS, "strict", async (store) => {
    const first = await store.get(SEALING_KEY);
    if (isSealingKey(first)) return first;
    try {
      await store.put(made, SEALING_KEY);
    } catch (error) {
      // Nothing was ever sealed here: WebKit keeps no keys in its Lockdown Mode.
      throw error?.name === "DataCloneError" ? new Absent(String(error)) : error;
    }
    return made;
  });
}

/** Whether this is a key that seals and unseals. Any script of the page may have put something else in its place. */
const isSealingKey = (key) =>
  key?.algorithm?.name === "AES-GCM" && ["encrypt", "decrypt"].every((use) => key.usages?.includes(use));

// Not made at import: a test's environment may lack it.
const utf8 = (text) => new TextEncoder().encode(text);
const sealing = (iv, name) => ({ name: "AES-GCM", iv, additionalData: utf8(name) });
/** Bytes of the initialization vector, which come first. */
const IV = 12;
/** Characters of the text that are the vector. */
const VECTOR = 16;

/** A text as base64 of the vector and the AES-GCM ciphertext. */
async function seal(key, name, text) {
  const iv = crypto.getRandomValues(new Uint8Array(IV));
  const sealed = new Uint8Array(await crypto.subtle.encrypt(sealing(iv, name), key, utf8(text)));
  return btoa(binary(iv) + binary(sealed));
}

/** The bytes as a text of as many characters. */
function binary(bytes) {
  let text = "";
  // In pieces: a function takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode.apply(null, bytes.subarray(at, at + 8_192));
  return text;
}

/** The text; undefined if another key sealed it, or another name, or it was changed. */
async function unseal(key, name, sealed) {
  try {
    const text = atob(sealed);
    const bytes = new Uint8Array(text.length);
    for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
    const unsealed = await crypto.subtle.decrypt(sealing(bytes.subarray(0, IV), name), key, bytes.subarray(IV));
    return new TextDecoder().decode(unsealed);
  } catch {
    return undefined;
  }
}
