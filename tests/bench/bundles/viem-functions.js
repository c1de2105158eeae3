// Counterparts in viem of this package's pure functions and calls: hashing, addresses, recovery, units, ABI.
export {
  decodeFunctionResult, encodeFunctionData, erc20Abi, formatUnits, getAddress, hashDomain, hashStruct, hashTypedData, isAddress,
  parseSignature, parseUnits, recoverTypedDataAddress, serializeCompactSignature, signatureToCompactSignature,
} from "viem";
