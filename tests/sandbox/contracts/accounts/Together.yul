// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Makes several calls, one after the other, from the account whose code it stands in for in an `eth_call` (a state
// override). So they are tried together: a swap finds the approval that precedes it, and a balance is read before and
// behind it. The same code in another account makes calls of that one, if the sender asks it to.
//
// Input, packed, for each call: contract (20 bytes), wei (32 bytes), the size of the calldata (32 bytes), the calldata.
// A call of the zero address is none: it reads the wei of the account whose address is the calldata, as a word.
//
// Output: a word with MARK in its upper 31 bytes and the number of calls that went through in the last one. If it is all
// of them, a word for each follows: the first that it returned; MARK, if it returned less. If it is not, what the next one
// returned follows. MARK sets it apart from an answer of the account's own code, which a node without overrides would
// run.
object "Together" {
  code {
    // A call back, or a transfer of native tokens, gets an empty answer.
    if iszero(eq(caller(), origin())) { stop() }
    // "verified-swap: calls in one ask"
    let done := 0x76657269666965642d737761703a2063616c6c7320696e206f6e652061736b00
    let out := 32
    let at := 0
    for {} lt(at, calldatasize()) {} {
      let size := calldataload(add(at, 52))
      let to := shr(96, calldataload(at))
      // Behind the words of 127 calls.
      calldatacopy(4096, add(at, 84), size)
      switch to
      case 0 { mstore(out, balance(mload(4096))) }
      default {
        if iszero(call(gas(), to, calldataload(add(at, 20)), 4096, size, out, 32)) {
          mstore(0, done)
          returndatacopy(32, 0, returndatasize())
          return(0, add(32, returndatasize()))
        }
        if lt(returndatasize(), 32) { mstore(out, done) }
      }
      at := add(add(at, 84), size)
      out := add(out, 32)
      done := add(done, 1)
    }
    mstore(0, done)
    return(0, out)
  }
}
