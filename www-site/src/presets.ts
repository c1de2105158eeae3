/** Payloads to begin with. All accounts are made up, but for the contracts that are named. */
const SOMEBODY = "5afe3855358e112b5647b952709e6165e1c1eeee";
const USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const YOU = "0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A";
/** MultiSendCallOnly 1.4.1, of Safe's deployments. */
const MULTI_SEND = "0x9641d764fc13c8B624c04430C7356C1C7C8102e2";

export interface Preset {
  label: string;
  text(): Promise<string>;
}

const written = (value: unknown): string => JSON.stringify(value, null, 2);
const word = (value: string | bigint | number): string => (typeof value === "string" ? value : value.toString(16)).padStart(64, "0");
const inSeconds = (seconds: number): string => String(Math.floor(Date.now() / 1000) + seconds);
const members = (fields: Record<string, string>): { name: string; type: string }[] => Object.entries(fields).map(([name, type]) => ({ name, type }));

const UNLIMITED_APPROVAL = written({ method: "eth_sendTransaction", params: [{ from: YOU, to: USDC, data: `0x095ea7b3${word(SOMEBODY)}${"f".repeat(64)}`, value: "0x0", chainId: "0x1" }] });

const permit2 = (): string =>
  written({
    types: {
      EIP712Domain: members({ name: "string", chainId: "uint256", verifyingContract: "address" }),
      PermitSingle: members({ details: "PermitDetails", spender: "address", sigDeadline: "uint256" }),
      PermitDetails: members({ token: "address", amount: "uint160", expiration: "uint48", nonce: "uint48" }),
    },
    primaryType: "PermitSingle",
    domain: { name: "Permit2", chainId: 1, verifyingContract: "0x000000000022D473030F116dDEE9F6B43aC78BA3" },
    message: {
      details: { token: USDC, amount: String(2n ** 160n - 1n), expiration: inSeconds(365 * 86_400), nonce: "0" },
      spender: `0x${SOMEBODY}`,
      sigDeadline: inSeconds(1_800),
    },
  });

/** The transaction as Safe's service has it: an approval and a transfer in one. */
function safeBatch(): string {
  const approve = `095ea7b3${word("000000000022d473030f116ddee9f6b43ac78ba3")}${word(250_000_000)}`;
  const transfer = `a9059cbb${word(SOMEBODY)}${word(250_000_000)}`;
  const packed = [approve, transfer].map((data) => `00${USDC.slice(2).toLowerCase()}${word(0)}${word(data.length / 2)}${data}`).join("");
  const length = packed.length / 2;
  const padded = packed.padEnd(Math.ceil(length / 32) * 64, "0");
  return written({
    safe: "0x4F2083f5fBede34C2714aFfb3105539775f7FE64", chainId: "1", to: MULTI_SEND, value: "0", data: `0x8d80ff0a${word(32)}${word(length)}${padded}`, operation: 1,
    safeTxGas: 0, baseGas: 0, gasPrice: "0", gasToken: null, refundReceiver: null, nonce: 42,
  });
}

const HASHED_MESSAGE = written({ method: "personal_sign", params: [`0x${"9c22ff5f21f0b81b113e63f7db6da94fedef11b2119b4088b89664fb9a3cb658"}`, YOU] });

/** The first order of `verified-swap/vectors`, which expires in 20 minutes. */
async function recordedOrder(): Promise<string> {
  const { default: recorded } = await import("verified-swap/vectors");
  const input: { toSign?: { domain?: object; types?: object; value?: object } } = recorded.vectors.find(({ verifier }) => verifier === "verifyOrder")?.input ?? {};
  const { domain, types, value } = input.toSign ?? {};
  const EIP712Domain = members({ name: "string", version: "string", chainId: "uint256", verifyingContract: "address" });
  return written({ types: { EIP712Domain, ...types }, primaryType: "Order", domain, message: { ...value, deadline: inSeconds(1_200) } });
}

export const PRESETS: Preset[] = [
  { label: "Unlimited approval", text: async () => UNLIMITED_APPROVAL },
  { label: "Permit2", text: async () => permit2() },
  { label: "A Safe’s batch", text: async () => safeBatch() },
  { label: "A hashed message", text: async () => HASHED_MESSAGE },
  { label: "This order", text: recordedOrder },
];
