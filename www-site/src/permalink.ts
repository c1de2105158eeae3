/** The state of the page in the fragment of its address, which a browser sends to no server. */
export interface Linked {
  text: string;
  accounts: string;
  chain: string;
  /** The answer to the page's question: the way to read the text, and what was missing. */
  choice?: string | undefined;
  given?: string | undefined;
}

/** Browsers keep addresses of this length; most chats and mail programs do, too. */
const LONGEST = 16_384;
/** A short fragment can stand for a text of any size. */
const LARGEST = 4_194_304;

const throughStream = async (bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream, atMost: number): Promise<Uint8Array<ArrayBuffer>> => {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (let length = 0; ; ) {
    const { value, done } = await reader.read();
    if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer());
    length += value.length;
    if (length > atMost) throw new Error("too large");
    chunks.push(value);
  }
};

/** The fragment of a state; `undefined` if it is too long for an address. */
export async function linkOf(state: Linked): Promise<string | undefined> {
  const packed = await throughStream(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream("deflate-raw"), LARGEST);
  if (packed.length > LONGEST) return undefined;
  return `#${btoa(String.fromCharCode(...packed)).replace(/[+/=]/g, (sign) => ({ "+": "-", "/": "_" })[sign] ?? "")}`;
}

/** The state of a fragment; `undefined` for none, and for anything else. */
export async function linked(fragment: string): Promise<Linked | undefined> {
  if (!/^#[\w-]{8,}$/.test(fragment)) return undefined;
  try {
    const packed = Uint8Array.from(atob(fragment.slice(1).replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
    const state: unknown = JSON.parse(new TextDecoder().decode(await throughStream(packed, new DecompressionStream("deflate-raw"), LARGEST)));
    if (typeof state !== "object" || state === null) return undefined;
    const text = (name: string): string => {
      const value: unknown = Reflect.get(state, name);
      return typeof value === "string" ? value : "";
    };
    return { text: text("text"), accounts: text("accounts"), chain: text("chain"), choice: text("choice"), given: text("given") };
  } catch {
    return undefined;
  }
}
