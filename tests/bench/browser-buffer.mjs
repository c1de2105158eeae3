/** eth-sig-util expects Node's Buffer; a page has none. Imported before it. */
import { Buffer } from "buffer";

globalThis.Buffer = Buffer;
