// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Makes several calls, one after the other, from the account whose code it stands in for in an `eth_call` (a state
// override). So they are tried together: a swap finds the approval that precedes it.
//
// Input, packed, for each call: contract (20 bytes), wei (32 bytes), the size of the calldata (32 bytes), the calldata.
//
// Output: a word with MARK in its upper 31 bytes and the number of calls that went through in the last one. If it is not
// all of them, what the next one returned follows. MARK tells it from an answer of the account's own code, which a node
// that knows no overrides would run.
object "Together" {
  code {
    // Whoever calls back, or sends native tokens, is answered with nothing.
    if iszero(eq(caller(), address())) { stop() }
    // "verified-swap: calls in one ask"
    let done := 0x76657269666965642d737761703a2063616c6c7320696e206f6e652061736b00
    let at := 0
    for {} lt(at, calldatasize()) {} {
      let size := calldataload(add(at, 52))
      calldatacopy(0, add(at, 84), size)
      if iszero(call(gas(), shr(96, calldataload(at)), calldataload(add(at, 20)), 0, size, 0, 0)) {
        mstore(0, done)
        returndatacopy(32, 0, returndatasize())
        return(0, add(32, returndatasize()))
      }
      at := add(add(at, 84), size)
      done := add(done, 1)
    }
    mstore(0, done)
    return(0, 32)
  }
}
