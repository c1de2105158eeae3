/** The posts of orders that the client makes, which a reading may look at, change or hold. */
import { compactSignatureToSignature, parseCompactSignature, serializeSignature } from "viem";
import { told } from "../probe/service.mjs";

/** `through(body, send)` makes the posts, as long as it is set; `answers` has the service's answer to each. */
export function openPosts() {
  const fetched = globalThis.fetch;
  const posts = { through: null, answers: [] };
  globalThis.fetch = (resource, options) => {
    if (options?.method !== "POST" || !/\/v2\/delta\/orders(\?|$)/.test(String(resource))) return fetched(resource, options);
    const send = async (body) => {
      const answer = await fetched(resource, { ...options, signal: undefined, body });
      posts.answers.push(await answerOf(answer));
      return answer;
    };
    return posts.through ? posts.through(options.body, send) : send(options.body);
  };
  return posts;
}

/** `400 InvalidInput: details`, or `200 ACTIVE`. */
async function answerOf(response) {
  const text = await response.clone().text();
  const json = await response.clone().json().catch(() => undefined);
  return response.ok ? `${response.status} ${json?.status ?? ""}` : told({ status: response.status, text, json });
}

/** The body with the 65 bytes of the signature in place of its 64 (EIP-2098). */
export function with65Bytes(body) {
  const { signature } = JSON.parse(body);
  return body.replace(signature, serializeSignature(compactSignatureToSignature(parseCompactSignature(signature))));
}
