// The library that is shipped inside under this name, with the members that storage.ts uses. Its own types let no store be
// read and written by one function, as `Database.use` does.

/** A store whose keys are texts. */
export interface Store {
  get(key: string): Promise<unknown>;
  getAll(keys: IDBKeyRange): Promise<unknown[]>;
  getAllKeys(keys: IDBKeyRange): Promise<string[]>;
  put(value: unknown, key: string): Promise<unknown>;
  delete(key: string): Promise<void>;
}

export interface Transaction {
  readonly store: Store;
  /** Rejects if nothing of it was written. */
  readonly done: Promise<void>;
  abort(): void;
}

export interface Connection {
  createObjectStore(name: string): unknown;
  transaction(
    name: string, mode: "readonly" | "readwrite", options: { durability: "strict" | "relaxed" | undefined },
  ): Transaction;
  close(): void;
}

export function openDB(
  name: string,
  version: number,
  callbacks: { upgrade(database: Connection): void; blocking(): void; terminated(): void },
): Promise<Connection>;
