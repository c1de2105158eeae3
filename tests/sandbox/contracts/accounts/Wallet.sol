// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {ContractAccount} from "./ContractAccount.sol";

/// A smart account: an address of its own, owned by another.
contract Wallet is ContractAccount {
    address private immutable _owner;

    constructor(address owner, bool compact) ContractAccount(compact) {
        _owner = owner;
    }

    function signer() public view override returns (address) {
        return _owner;
    }
}
