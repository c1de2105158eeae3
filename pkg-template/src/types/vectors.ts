/**
 * `verified-swap/vectors`: honest and lying payloads with the verdicts that they have to get, for the tests of a wallet or a
 * co-signer. All are judged at one time, `now`.
 *
 * ```js
 * for (const { name, verifier, input, expected } of vectors.vectors) test(name, () => hold({ ...input, now: vectors.now }, expected));
 * ```
 */

/**
 * The required result for a payload. `"ok"`: nothing differs from the request, and no question is open. `"refused"`: it is
 * not to be signed; the error's `code`, and its `field` if it has one. `"question"`: the reasons of the questions
 * (`report.questions`), in their order.
 */
export type Expected =
  | { verdict: "ok" }
  | { verdict: "refused"; code: "VERIFY_MISMATCH" | "SERVICE_MALFORMED" | "LOSS_TOO_HIGH"; field?: string }
  | { verdict: "question"; questions: string[] };

/** A payload with its request. */
export interface Vector {
  /** Its name; each is there once. */
  name: string;
  /** The function of `verified-swap/verify` that takes `input`. */
  verifier: "verifyOrder" | "verifyTransaction" | "verifyOtc" | "verifyFill" | "verifyPermit" | "verifyCancellation";
  /** Its input, without `now`. */
  input: Record<string, unknown>;
  expected: Expected;
}

declare const vectors: {
  /** The version of this form. */
  version: 1;
  /** The time by which all are judged, unix seconds. */
  now: number;
  vectors: Vector[];
};
export default vectors;
