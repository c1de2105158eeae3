// Entries that outlive the page: names and texts, in IndexedDB or in the application's own storage. They are sealed by
// AES-GCM, which also covers the name. The browser keeps the key and never shows it, not even to a script of the
// page, which may however use it. An entry that is there and cannot be unsealed has the text "": none is written so.
import { openDB, type Connection, type Store, type Transaction } from "./idb.js";
import { membersOf } from "./module.ts";
import type { JournalStorage } from "./types.ts";

const DATABASE = "verified-swap";
const [ENTRIES, KEYS] = ["entries", "keys"];
const SEALING_KEY = "seal";
/** A prefix that no name has. */
const UNUSED = "\uffff";

/** An entry as it is kept. Any script of the page may have put something else in the text's place. */
type Kept = readonly [name: string, text: unknown];
/** An entry as it is read: null in place of a text that was read before. */
export type Read = readonly [name: string, text: string | null];
/** The part of an entry's text that no other text has, and the first reading that had it. */
interface Seen {
  readonly mark: unknown;
  readonly reading: number;
}

/** The result of `get`; undefined where there is none, or the browser refuses it by throwing, as in a sandboxed frame. */
export function allowed<Result>(get: () => Result): Result | undefined {
  try {
    return get();
  } catch {
    return undefined;
  }
}

export const hasDatabase = () => Boolean(allowed(() => indexedDB));

/** The feature that entries in IndexedDB lack here; null if none. */
export function lack(): string | null {
  if (!hasDatabase()) return "no IndexedDB";
  if (!allowed(() => crypto.subtle)) return "no WebCrypto: the page is not https";
  return null;
}

/** A failure by its name, which the module reads (crates/trade/src/ledger/unread.rs). */
const named = (name: string, message: string) => Object.assign(new Error(message), { name });

/** There is no storage here that could be opened: a frame of an opaque origin, or a private window without one. */
export class Absent extends Error {}

/**
 * The browser's failures to open a database that mean this; the last is Chromium's if cookies are blocked. After all
 * others the database may still have entries.
 */
const ABSENT = /^(SecurityError|InvalidStateError)\b|^UnknownError: The user denied permission/;

/** The database of this origin, opened when it is first used. */
export class Database {
  #connection: Promise<Connection> | undefined;
  #key: Promise<CryptoKey> | undefined;
  #opening: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;
  #wasOpen = false;
  #limitMs: number;

  /** `limitMs`: the time that IndexedDB may take to open. */
  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /**
   * The key that seals the entries, read once for each connection: if the database is deleted, so is the key. Another one
   * is made only if there are no `trades()`.
   */
  key(trades: () => Promise<readonly Kept[]>): Promise<CryptoKey> {
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
  async use<Result>(
    name: string, durability: "strict" | "relaxed" | undefined, work: (store: Store) => Promise<Result>,
  ): Promise<Result> {
    for (let retries = 1; ; retries--) {
      const connection = (this.#connection ??= this.#connect());
      let timer: ReturnType<typeof setTimeout> | undefined, transaction: Transaction | undefined;
      try {
        const database = await connection;
        transaction = database.transaction(name, durability ? "readwrite" : "readonly", { durability });
        const hung = named("HungError", "IndexedDB opens, and does not answer");
        const hangs = new Promise<never>((_, reject) => (timer = setTimeout(reject, this.#limitMs / (2 + retries), hung)));
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

  async #connect(): Promise<Connection> {
    if (this.#isClosed) throw new Error("the client is closed");
    const drop = () => this.#drop(this.#connection);
    const upgrade = (database: Connection) => [ENTRIES, KEYS].forEach((name) => database.createObjectStore(name));
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
      const fail = (error: unknown) => reject(!this.#wasOpen && ABSENT.test(String(error)) ? new Absent(String(error)) : error);
      opened
        .then((database) => {
          this.#wasOpen = true;
          resolve(database);
        }, fail)
        .finally(() => clearTimeout(timer));
    });
  }

  #drop(connection: Promise<Connection> | undefined) {
    if (this.#connection === connection) this.#connection = this.#key = undefined;
    connection?.then((database) => database.close()).catch(() => {});
  }
}

/** All entries. `own` is the application's storage, if it passed one; without `database` they are not sealed. */
export class Entries {
  #database: Database | undefined;
  #own: JournalStorage | undefined;
  /** For each name the reading of its text. */
  #seen = new Map<string, Seen>();
  #readings = 0;
  /** The last write. The next one waits for it: a slow one, or one that is repeated, must not end after a later one. */
  #writing: Promise<unknown> = Promise.resolve();

  constructor(database: Database | undefined, own: JournalStorage | undefined) {
    this.#database = database;
    this.#own = own;
  }

  /** Rejects if there is no way to the entries, or to new ones. */
  async check() {
    await this.load(UNUSED);
    await this.#key();
  }

  /** The entries whose names begin with `prefix`, as [name, text]. */
  async load(prefix: string): Promise<readonly Read[]> {
    return (await this.changes(prefix, 0))[1];
  }

  /**
   * The number of this reading, and the result of [load]; null in place of a text that is the same as in the reading of
   * the number `since`, and has been in all since. Unsealing and reading a whole journal takes longer than a trade.
   */
  async changes(prefix: string, since: number): Promise<readonly [reading: number, entries: readonly Read[]]> {
    const reading = ++this.#readings;
    const found = await this.#read(prefix);
    const isLost = (error: unknown) => membersOf(error)?.name === "LostKeyError";
    const key = await this.#key()?.catch((error) => (isLost(error) ? undefined : Promise.reject(error)));
    const seen = new Map(found.map(([name, text]): [string, Seen] => {
      // No two writes have the same vector.
      const mark = key ? String(text).slice(0, VECTOR) : text;
      const known = this.#seen.get(name);
      return [name, known && known.mark === mark ? known : { mark, reading }];
    }));
    for (const name of this.#seen.keys()) if (name.startsWith(prefix)) this.#seen.delete(name);
    const open = async ([name, text]: Kept): Promise<Read> => {
      if ((seen.get(name)?.reading ?? reading) <= since) return [name, null];
      const opened = key ? await unseal(key, name, text) : this.#database ? undefined : text;
      return [name, typeof opened === "string" ? opened : ""];
    };
    const opened = await Promise.all(found.map(open));
    for (const [name, text] of opened) {
      const known = seen.get(name);
      if (known && text !== "") this.#seen.set(name, known);
    }
    return [reading, opened];
  }

  /** Writes an entry; null deletes it. */
  store(name: string, text: string | null, isDurable: boolean): Promise<unknown> {
    const write = () => this.#write(name, text, isDurable);
    return (this.#writing = this.#writing.then(write, write));
  }

  async #write(name: string, text: string | null, isDurable: boolean): Promise<unknown> {
    const kept = text === null ? null : await seal(await this.#key(), name, text);
    if (this.#own) return kept === null ? this.#own.delete(name) : this.#own.set(name, kept);
    const write = (store: Store): Promise<unknown> => (kept === null ? store.delete(name) : store.put(kept, name));
    return this.#database?.use(ENTRIES, isDurable ? "strict" : "relaxed", write);
  }

  #key() {
    return this.#database?.key(() => this.#read("trade/"));
  }

  async #read(prefix: string): Promise<readonly Kept[]> {
    const own = this.#own;
    if (own) {
      const names = [...(await own.keys())].filter((name) => String(name).startsWith(prefix));
      return Promise.all(names.map(async (name): Promise<Kept> => [name, await own.get(name)]));
    }
    const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
    const read = this.#database?.use(ENTRIES, undefined, async (store) => {
      const [names, texts] = await Promise.all([store.getAllKeys(range), store.getAll(range)]);
      return names.map((name, place): Kept => [name, texts[place]]);
    });
    return read ?? [];
  }
}

/**
 * The key of the seals. Made once for an origin: if several tabs make one at the same time, the first one's is kept.
 */
async function sealingKey(database: Database, trades: () => Promise<readonly Kept[]>): Promise<CryptoKey> {
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
      throw membersOf(error)?.name === "DataCloneError" ? new Absent(String(error)) : error;
    }
    return made;
  });
}

/** Whether this is a key that seals and unseals. Any script of the page may have put something else in its place. */
function isSealingKey(key: unknown): key is CryptoKey {
  const { algorithm, usages } = membersOf(key) ?? {};
  return membersOf(algorithm)?.name === "AES-GCM" && Array.isArray(usages) && ["encrypt", "decrypt"].every((use) => usages.includes(use));
}

// Not made at import: a test's environment may lack it.
const utf8 = (text: string) => new TextEncoder().encode(text);
const sealing = (iv: BufferSource, name: string) => ({ name: "AES-GCM", iv, additionalData: utf8(name) });
/** Bytes of the initialization vector, which come first. */
const IV = 12;
/** Characters of the text that are the vector. */
const VECTOR = 16;

/** A text as base64 of the vector and the AES-GCM ciphertext; as it is without a key. */
async function seal(key: CryptoKey | undefined, name: string, text: string): Promise<string> {
  if (!key) return text;
  const iv = crypto.getRandomValues(new Uint8Array(IV));
  const sealed = new Uint8Array(await crypto.subtle.encrypt(sealing(iv, name), key, utf8(text)));
  return btoa(binary(iv) + binary(sealed));
}

/** The bytes as a text of as many characters. */
function binary(bytes: Uint8Array) {
  let text = "";
  // In pieces: a function takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return text;
}

/** The text; undefined if another key sealed it, or another name, or it was changed. */
async function unseal(key: CryptoKey, name: string, sealed: unknown): Promise<string | undefined> {
  try {
    const text = atob(String(sealed));
    const bytes = new Uint8Array(text.length);
    for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
    const unsealed = await crypto.subtle.decrypt(sealing(bytes.subarray(0, IV), name), key, bytes.subarray(IV));
    return new TextDecoder().decode(unsealed);
  } catch {
    return undefined;
  }
}
