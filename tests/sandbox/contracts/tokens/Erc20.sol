// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

/// The storage and the reads every token of the sandbox shares. They differ in how they approve and transfer.
abstract contract Erc20 {
    string public name;
    string public symbol;
    uint8 public immutable decimals;
    uint256 public totalSupply;

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    /// The minter: the account that deployed the token.
    address public immutable minter = msg.sender;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    error NotMinter();
    error TransferExceedsBalance();
    error TransferExceedsAllowance();
    error ZeroAddress();

    constructor(string memory tokenName, string memory tokenSymbol, uint8 tokenDecimals) {
        name = tokenName;
        symbol = tokenSymbol;
        decimals = tokenDecimals;
    }

    function mint(address to, uint256 value) external virtual {
        if (msg.sender != minter) revert NotMinter();
        _mint(to, value);
    }

    function _mint(address to, uint256 value) internal {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function _approve(address owner, address spender, uint256 value) internal {
        allowance[owner][spender] = value;
        emit Approval(owner, spender, value);
    }

    function _transfer(address from, address to, uint256 value) internal {
        if (to == address(0)) revert ZeroAddress();
        if (balanceOf[from] < value) revert TransferExceedsBalance();
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }

    function _spendAllowance(address owner, address spender, uint256 value) internal virtual {
        uint256 granted = allowance[owner][spender];
        if (granted == type(uint256).max) return;
        if (granted < value) revert TransferExceedsAllowance();
        allowance[owner][spender] = granted - value;
    }
}
