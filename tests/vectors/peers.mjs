/** Three independent libraries' answers, each given the spelling it documents. */
import { SignTypedDataVersion, TypedDataUtils } from "@metamask/eth-sig-util";
import { TypedDataEncoder } from "ethers";
import { hashTypedData } from "viem";
import { asJson } from "./spellings.mjs";
import { domainType } from "./typed-data-cases.mjs";

/** Digests of one case by name of the library. They must agree before anything is compared with them. */
export function digests(typedData) {
  return { viem: viemDigest(typedData), ethers: ethersDigest(typedData), ethSigUtil: ethSigUtilDigest(typedData) };
}

export function viemDigest({ types, primaryType, domain, message }) {
  return hashTypedData({ types: { ...types, EIP712Domain: domainType(domain) }, primaryType, domain, message });
}

/** ethers derives both the domain's type and the root by itself. */
export function ethersDigest({ types, domain, message }) {
  return TypedDataEncoder.hash(domain, types, message);
}

export function ethSigUtilDigest(typedData) {
  return plainDigest(asJson(typedData));
}

/** The same of values that are spelled as eth-sig-util takes them already. */
export function plainDigest({ types, primaryType, domain, message }) {
  const withDomain = { types: { ...types, EIP712Domain: domainType(domain) }, primaryType, domain, message };
  return `0x${TypedDataUtils.eip712Hash(withDomain, SignTypedDataVersion.V4).toString("hex")}`;
}
