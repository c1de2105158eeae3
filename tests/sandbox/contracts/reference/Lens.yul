// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Reads pools and price feeds in one `eth_call` without `to`: the call's data is this code, followed by the input; what
// a creation returns is the answer.
//
// Input, packed: the number of pools (1 byte), the pools' addresses (20 bytes each), the feeds' addresses (20 bytes each).
//
// Output, words of 32 bytes: the block's timestamp and its number. Then for each pool 0 if it is not there; else its
// window in seconds (1 if it shows no past), its present tick, and the liquidity around that; and if it does,
// tickCumulative `window` ago, 300 s ago and now, and secondsPerLiquidityCumulativeX128 of the same three times. The
// window is the longest of 1800, 1200, 600 and 300 that the pool answers. The liquidity is the mean over the 200 ticks
// (2 %) below the price, or above it, whichever is less: what lies in one tick, or on one side, costs nearly nothing to
// put there. Then for each feed 0 if it does not answer, else three words: decimals + 1, answer, updatedAt.
//
// It never reverts, whatever the contracts answer. Where gas runs out in a call inside, a 64th of it is left, at most 16,000
// units: that does not pay for what a creation returns (200 a byte), so all of it fails, and no pool with a past looks
// like one without.
object "Lens" {
    code {
        // Calldata: decimals() at 0x34, latestRoundData() at 0x38, observe([window, 300, 0]) at 0x3c with the window at 0x80.
        mstore(0x20, 0x313ce567feaf968c883bdbfd)
        mstore(0x40, 0x20)
        mstore(0x60, 3)
        mstore(0xa0, 300)
        mstore(0xe0, timestamp())
        // On Arbitrum `number` is that of another chain; ArbSys.arbBlockNumber() is its own. Elsewhere it is absent.
        mstore(0x100, number())
        mstore(0, 0xa3b1b31d)
        if and(eq(returndatasize(), 0x20), staticcall(50000, 0x64, 0x1c, 4, 0, 0x20)) { mstore(0x100, mload(0)) }
        let out := 0x120
        let at := datasize("Lens")
        codecopy(31, at, 1)
        let pools := and(mload(0), 0xff)
        for { at := add(at, 1) } lt(at, codesize()) { at := add(at, 20) } {
            codecopy(0, at, 32)
            let source := shr(96, mload(0))
            let head := 0
            let size := 0x20
            switch pools
            case 0 {
                // Arguments are evaluated from the last to the first.
                if and(
                    and(gt(returndatasize(), 0x9f), staticcall(500000, source, 0x38, 4, out, 0x80)),
                    and(lt(mload(0), 256), and(gt(returndatasize(), 0x1f), staticcall(500000, source, 0x34, 4, 0, 0x20)))
                ) {
                    head := add(mload(0), 1)
                    mstore(add(out, 0x40), mload(add(out, 0x60)))
                    size := 0x60
                }
            }
            default {
                pools := sub(pools, 1)
                let free := add(out, 0x60)
                // slot0(): a pool without a price is none.
                if ask(source, free, 0x3850c7bd, 0, 0) {
                    head := 1
                    size := 0x60
                    let tick := ask(source, free, 0x3850c7bd, 0, 0x20)
                    mstore(add(out, 0x20), tick)
                    mstore(add(out, 0x40), around(source, free, tick))
                    for { let windows := 0x012c025804b00708 } windows { windows := shr(16, windows) } {
                        let window := and(windows, 0xffff)
                        mstore(0x80, window)
                        // Two arrays of three words, one after the other: no other layout counts.
                        if and(
                            and(
                                and(eq(mload(free), 0x40), eq(mload(add(free, 0x20)), 0xc0)),
                                and(eq(mload(add(free, 0x40)), 3), eq(mload(add(free, 0xc0)), 3))
                            ),
                            and(eq(returndatasize(), 0x140), staticcall(1000000, source, 0x3c, 0xa4, free, 0x140))
                        ) {
                            head := window
                            mcopy(free, add(free, 0x60), 0x60)
                            mcopy(add(free, 0x60), add(free, 0xe0), 0x60)
                            size := 0x120
                            break
                        }
                    }
                }
            }
            mstore(out, head)
            out := add(out, size)
        }
        return(0xe0, sub(out, 0xe0))

        // The word at `place` of what `source` answers, with memory from `free` on; 0 if it does not.
        function ask(source, free, selector, argument, place) -> value {
            mstore(free, shl(224, selector))
            mstore(add(free, 4), argument)
            if and(gt(returndatasize(), add(place, 31)), staticcall(50000, source, free, 36, free, 0x40)) {
                value := mload(add(free, place))
            }
        }

        // By how much liquidity grows at that multiple of the spacing, from below: `ticks` where `tickBitmap` has it.
        function net(source, free, spacing, multiple) -> value {
            if and(shr(and(multiple, 0xff), ask(source, free, 0x5339c296, sar(8, multiple), 0)), 1) {
                value := ask(source, free, 0xf30dba93, mul(multiple, spacing), 0x20)
            }
        }

        function around(source, free, tick) -> less {
            let spacing := ask(source, free, 0xd0c93a7c, 0, 0)
            if sgt(spacing, 0) {
                let first := sdiv(sub(tick, mul(slt(tick, 0), sub(spacing, 1))), spacing)
                less := not(0)
                for { let way := 1 } iszero(eq(way, sub(0, 3))) { way := sub(way, 2) } {
                    // Up, then down: the first multiple on that way, and what is between it and the one before.
                    let multiple := add(first, eq(way, 1))
                    let here := ask(source, free, 0x1a686502, 0, 0)
                    let end := add(tick, mul(way, 200))
                    let sum := 0
                    for { let from := tick } iszero(eq(from, end)) { multiple := add(multiple, way) } {
                        let to := mul(multiple, spacing)
                        if sgt(mul(way, sub(to, end)), 0) { to := end }
                        sum := add(sum, mul(here, mul(way, sub(to, from))))
                        from := to
                        if iszero(eq(to, end)) { here := add(here, mul(way, net(source, free, spacing, multiple))) }
                    }
                    if slt(sum, 0) { sum := 0 }
                    if lt(sum, less) { less := sum }
                }
                less := div(less, 200)
            }
        }
    }
}
