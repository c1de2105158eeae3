//! The words of [`super::explain`]: kinds, parts and findings, each with an id that does not change.
//!
//! The rule of severities is in docs/explain.md, "Findings", with the list of all.

use verify::internal::domain::sentence::part::Part;
use verify::parts;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// A fact worth knowing.
    Info,
    /// Unusual: a person has to look.
    Caution,
    /// Tokens or control can go to an address that the account does not name.
    Danger,
}

impl Severity {
    /// The severity's name in an answer.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Caution => "caution",
            Severity::Danger => "danger",
        }
    }
}

/// A kind of finding.
#[derive(Clone, Copy, Debug)]
pub struct Warning {
    /// Its id, names of values, and English text.
    pub part: Part,
    /// How much it matters.
    pub severity: Severity,
}

macro_rules! warnings {
    ($($name:ident $severity:ident $id:literal [$($value:ident),*] $english:literal;)*) => {
        $(
            #[doc = concat!("`", $id, "`: ", $english)]
            pub const $name: &Warning = &Warning {
                part: Part { id: $id, names: &[$(stringify!($value)),*], english: $english },
                severity: Severity::$severity,
            };
        )*
        /// All kinds of findings.
        pub const WARNINGS: &[&Warning] = &[$($name),*];
    };
}

warnings! {
    RECEIVER_OTHER Danger "receiver.other" [receiver] "What comes out goes to #, which is none of your accounts";
    REPAID_OTHER Danger "receiver.repaid" [account] "What is paid back, a debt or what was not delivered, is for #, which is none of your accounts";
    RECEIVER_NAMED Info "receiver.named" [receiver] "What comes out goes to # of your address book";
    RECEIVER_UNBOUND Caution "receiver.unbound" [] "The bridge's own data, which is not read, decides who receives";
    HANDLER_UNKNOWN Danger "handler.unknown" [handler] "What comes out is handed to the contract #, which your address book does not have";
    BRIDGE_FACTOR Danger "bridge.factor" [factor] "The bridge multiplies what enters it by 10^#, which is not the difference of the tokens' decimals";
    BRIDGE_UNJUDGED Caution "bridge.unjudged" [token] "How much of # arrives is not bound: it is not known as the asset that enters the bridge";
    SENT_AWAY Caution "transfer.out" [receiver] "The receiver # is neither in your accounts nor in your address book";
    SENT_SIGNED Danger "transfer.signed" [receiver] "With this signature it can be sent to #, which is neither in your accounts nor in your address book";
    SPENDER_UNKNOWN Danger "spender.unknown" [spender] "The spender # is no known spender of this chain, and not in your address book";
    SPENDER_SIGNED Danger "spender.signed" [spender] "With this signature # takes tokens without another prompt: it is no known spender, and not in your address book";
    SPENDER_SERVICE Caution "spender.service" [spender] "The spender # is a contract of another service";
    SPENDER_OLD Danger "spender.retired" [spender] "# is no longer used by its operator, who advises to take allowances back";
    UNLIMITED Caution "amount.unlimited" [spender, token] "# may take any amount of #, or a very large one, now and later";
    UNLIMITED_UNKNOWN Danger "amount.unlimitedUnknown" [spender, token] "#, which this service does not use, may take any amount of #, or a very large one, now and later";
    OPERATOR_ALL Danger "operator.all" [operator, contract] "# may take every token of # that you have, now and later";
    CONTRACT_UNKNOWN Caution "contract.unknown" [contract, chain] "# is no contract that is known on #";
    CONTRACT_OTHER Danger "contract.other" [contract, expected] "It goes to #; the contract of this chain is #";
    DOMAIN_CONTRACT Danger "domain.contract" [contract, expected] "The signature is for #; the contract of this chain is #";
    DOMAIN_FOREIGN Danger "domain.foreign" [actual, expected] "The domain is #, but the deployed contract hashes #: it is not what the signature would be for";
    DOMAIN_OWN Danger "domain.own" [account] "The signature is for your own account #, whose code may take it as your command, whoever brings it";
    CHAINLESS Caution "chain.none" [] "It names no chain that is read here: the signature may hold on each of them";
    CHAIN_OTHER Danger "chain.other" [chain, expected] "It is for #, and you are on #";
    CHAIN_NAMED Caution "chain.named" [chain, expected] "Its domain names # and no contract, and you are on #";
    DEADLINE_FAR Caution "deadline.far" [deadline] "It stays good until #, more than 30 days from now";
    DEADLINE_NONE Caution "deadline.none" [] "It never expires";
    DEADLINE_PASSED Caution "deadline.passed" [deadline] "Its time was over at #";
    DEADLINE_UNJUDGED Info "deadline.unjudged" [] "The context says no time, so the deadline is not judged";
    SENDER_OTHER Caution "sender.other" [account] "It is for the account #, which is none of yours";
    ACCOUNT_UNJUDGED Info "account.unjudged" [account] "Which accounts are yours is not known here, so it is not known whose # is";
    SIGNED Info "transaction.signed" [signer] "It is signed already, by #, and is sent without a wallet";
    SIGNER_UNKNOWN Caution "transaction.signature" [] "It has a signature that no key can have made";
    RESEMBLES Danger "address.resembles" [address, known] "# begins and ends like #, and is another address";
    JSON_DUPLICATE Danger "json.duplicate" [] "A name occurs twice in the data: one program reads the first value, the next one the second";
    JSON_REFUSED Caution "json.refused" [reason] "The data cannot be read: #";
    UNHASHABLE Caution "typedData.unhashable" [field, expected] "Wallets hash this in different ways, or not at all: # is not #";
    TYPE_UNKNOWN Caution "typedData.unknown" [type] "The type # is not known here";
    MEMBER_EXTRA Danger "member.extra" [member] "# is not part of what is signed";
    HASH_PERSONAL Caution "hash.personal" [] "It may be a hash: what that stands for cannot be read";
    HASH_RAW Danger "hash.raw" [] "A bare hash is signed or approved, which can stand for anything, also for a transaction";
    HASH_UNREAD Caution "hash.unread" [hash] "What # stands for is not part of this, and cannot be read";
    DELEGATECALL Danger "delegatecall" [contract] "The code of # runs with all rights of the account";
    DELEGATECALL_BATCH Info "delegatecall.batch" [contract] "#, whose code only runs the calls inside, runs with the rights of the account";
    CALL_UNKNOWN Caution "call.unknown" [selector] "The method # is not known, so what it does cannot be read";
    CALL_PAID Caution "call.unknownPaid" [value] "# goes along with a call that cannot be read";
    CALL_MALFORMED Caution "call.malformed" [method] "The arguments of # are not laid out as its method has them";
    CODE_CREATED Caution "code.created" [] "A contract is created, of code that is not read";
    VALUE_EXTRA Caution "value.extra" [value] "# goes along, which the call does not need";
    VALUE_OTHER Caution "value.other" [value, expected] "# goes along, where the call sells #";
    TOKENS_OTHER Danger "route.tokens" [] "The pools do not lead from the sold token to the bought one";
    MODULE_UNKNOWN Danger "route.module" [contract] "The module # is no known one for these tokens, and the router does not look at what it pays out";
    ROUTE_ARGUMENT Danger "route.argument" [member] "With this # the router does something else than this trade, or does not look at what it pays out";
    CONTROL Danger "account.control" [account] "It changes who controls the account #, or what its code does";
    TOKEN_UNKNOWN Caution "token.unknown" [contract] "# is no token that is known here: if it is one of single items, the number is that of an item, not an amount";
    MEMBER_UNREAD Caution "member.unread" [member] "# is part of what is asked, and is not read";
    NUMBER_FORM Danger "number.form" [member] "# is a number that programs read in different ways: digits in quotes without 0x, or 2^53 or more without quotes";
    MESSAGE_FORM Danger "message.form" [] "Programs read this message in different ways: one takes it for a text, the next one for bytes, or exchanges it with the account";
    SIGN_IN_ORIGIN Danger "signIn.origin" [stated, origin] "It signs in at #, and # asks for it";
    SIGN_IN_UNJUDGED Info "signIn.unjudged" [stated] "It signs in at #, and the context does not say who asks for it";
    CALL_DECOY Danger "request.decoy" [] "It is several requests in one: one program reads the first, the next one another";
    BATCH_CALLED Danger "batch.called" [contract] "The contract # makes these calls in its own name: what they pay out to the caller is there for anybody";
    BATCH_PARTS Info "batch.parts" [] "One of the calls may fail while the others still happen";
    GAS_HIGH Danger "userOperation.gas" [amount] "Whoever sends the operation on is paid up to # for it";
    GAS_PRICE_HIGH Danger "gas.high" [amount] "Up to # is paid for the gas of the transaction";
    TEXT_CUT Caution "text.cut" [] "Only the first 1,000 characters are shown";
    OPERATION_UNKNOWN Danger "operation.unknown" [operation] "The Safe's operation # is neither a call nor a delegatecall";
    DELEGATION Danger "delegation" [delegate] "The code of # gets all rights of the account, until another delegation";
    DELEGATION_EVERYWHERE Danger "delegation.everyChain" [delegate] "The code of # gets all rights of the account, on every chain";
    DELEGATION_NONE Info "delegation.none" [] "The account has no delegate any more";
    DELEGATION_OPEN Danger "delegation.open" [delegate] "No caveat that is known here bounds what # does in the name of the account";
    DELEGATION_BOUND Caution "delegation.bounded" [delegate] "# acts in the name of the account, as often as the caveats let it";
    PERMISSION_UNKNOWN Danger "permission.unknown" [permission] "What the permission # allows, or whom, is not known here";
    CHAIN_NODES Caution "chain.nodes" [nodes, chain] "The nodes # answer for #: they state balances and prices, and see what is sent";
    CHAIN_CURRENCY Danger "chain.currency" [chain, stated, expected] "The native token of # is called # with other decimals or another name than #";
    TOKEN_ALIAS Caution "token.alias" [stated, known] "It calls itself #; known here by that name or at that address is #";
    SAFE_OTHER Danger "safe.other" [account, expected] "It is for the Safe #; yours is #";
    SAFE_REFUND Danger "safe.refund" [receiver, amount, count] "The Safe pays # up to # for each unit of gas that is used, and for # more";
    SAFE_HASH Danger "safe.hash" [expected, actual] "By the context the Safe's hash is #, by the typed data #";
    FEE_HIGH Caution "fee.high" [fee] "The fee is #, above the 2 % that the contract takes";
    FEE_SURPLUS Caution "fee.surplus" [partner, amount] "# takes half of what the trade makes better than #";
    FEE_UNKNOWN Caution "fee.unknown" [member] "# has bits whose meaning is not known here";
    PRICE_POOR Caution "price.poor" [given, received] "By your reference prices, or as the same asset, # is worth more than # by over 15 %";
    PRICE_NONE Caution "price.none" [given, received] "For # it binds no more than #, and there are no reference prices of both tokens";
    PRICE_UNJUDGED Info "price.unjudged" [] "There are no reference prices of both tokens, so the price is not judged";
    BYTES_UNREAD Info "bytes.unread" [count] "Bytes that are part of no argument: #";
    METHOD_UNKNOWN Caution "method.unknown" [method] "The request # is not read here";
    INNER_TOO_MANY Caution "inner.tooMany" [] "There is more inside than is read";
    USER_OPERATION_INIT Caution "userOperation.init" [account] "A call that is not read sets up the account #, and may say who controls it";
    ENTRY_POINT_UNKNOWN Info "userOperation.entryPoint" [] "It names no entry point, so the hash that is signed for it is not known";
    USER_OPERATION Info "userOperation.paymaster" [] "Data for a paymaster or a factory is not read";
}

parts! {
    ALLOW "allow" [spender, amount, chain] "Allow # to take # on #";
    ALLOW_ALL "allow.unlimited" [spender, token, chain] "Allow # to take any amount of # on #";
    ALLOW_NONE "allow.none" [spender, token, chain] "Allow # to take no # any more on #";
    ALLOW_MORE "allow.more" [spender, amount, chain] "Allow # to take # more on #";
    ALLOW_LESS "allow.less" [spender, amount, chain] "Allow # to take # less on #";
    AND "and" [] "; ";
    CONTROL_CHANGE "account.control" [account, method, who, chain] "Change who controls the account #: # # on #";
    BY_SIGNATURE "bySignature" [] ", by this signature";
    USABLE_UNTIL "bySignature.until" [deadline] "; to be used until #";
    SEND "send" [amount, receiver, chain] "Send # to # on #";
    TAKE "take" [amount, owner, receiver, chain] "Move # from # to # on #";
    IF_ALLOWED "take.allowed" [] ", if its owner allows it";
    END_AUTHORIZATION "authorization.end" [nonce, token, chain] "End the signed transfer of the nonce # of # on #";
    NOT_BEFORE "bySignature.from" [time] "; not before #";
    OPERATOR "operator" [operator, contract, chain] "Allow # to take every token of # on #";
    OPERATOR_NONE "operator.none" [operator, contract, chain] "Allow # to take no token of # any more on #";
    WRAP "wrap" [amount, contract, chain] "Wrap # at # on #";
    UNWRAP "unwrap" [amount, contract, chain] "Unwrap # at # on #";
    PRE_SIGN "preSign" [hash, contract, chain] "Authorize the order of the hash # at # on #";
    PRE_SIGN_NONE "preSign.none" [hash, contract, chain] "Take back the authorization of the order of the hash # at # on #";
    WITH_HASH "hash.call" [method, hash, contract, chain] "Call # with the hash # at # on #";
    REGISTER "name.register" [name, owner, duration, contract, chain] "Register the name # for # for # seconds at # on #";
    RENEW "name.renew" [name, duration, contract, chain] "Renew the name # for # seconds at # on #";
    END_ALLOWANCES "permit2.endAllowances" [nonce, spender, token, chain] "End the signatures with a nonce below # by which # may take # on #";
    END_TRANSFERS "permit2.endTransfers" [mask, word, contract, chain] "End the signed transfers whose nonces are the bits # of the word # at # on #";
    DEPOSIT "deposit" [amount] ", and deposit # for it";
    INVALIDATE "nonce.invalidate" [nonce, contract, chain] "End all orders of the nonce # at # on #";
    WITHDRAW "withdraw" [amount, contract, chain] "Withdraw # from # on #";
    CANCEL_ORDER "order.cancel" [contract, chain] "Cancel an order at # on #, and take back its deposit";
    CANCEL_AT_SERVICE "order.cancelAtService" [count, orders] "Ask the service to drop # of its orders: #";
    BRIDGED "bridge.output" [token] "; # arrives there, how much is the bridge's promise, not this order's;";
    SAFE "safe" [account, chain] "The Safe # on # runs";
    SAFE_MESSAGE "safe.message" [account, chain] "The Safe # on # signs";
    WITH_CODE "delegatecall" [contract] "With all rights of the account, the code of # runs";
    ACCOUNT "account" [account, chain] "The account # on # runs";
    ACCOUNT_OTHER "account.other" [account, chain] "The contract # on #, which is none of your accounts, runs";
    CONTRACT_RUNS "account.unjudged" [account, chain] "The contract # on # runs";
    ACCOUNT_SIGNS "account.signs" [account, chain] "The account # on # signs";
    BATCH "batch" [count, chain] "Run a batch of # on #";
    DELEGATE "delegation" [delegate, chain] "Let the code of # act for the account on #";
    DELEGATE_EVERYWHERE "delegation.everyChain" [delegate] "Let the code of # act for the account on every chain";
    DELEGATE_NONE "delegation.none" [chain] "End the account's delegation on #";
    DELEGATOR "delegation.account" [account] " (the account is #)";
    ACT "delegation.signed" [delegate, account, count, chain] "Let # act in the name of #, within # caveats, on #";
    CAVEATS_NAMED "delegation.caveats" [caveats] " (#)";
    EVERY "permission.every" [duration] ", and as much again every # s";
    AT_ONCE "permission.atOnce" [amount] ", # at once";
    IN_ALL "permission.inAll" [amount] ", # in all";
    ADD_CHAIN "chain.add" [chain, name, nodes, currency] "Add #, under the name #, with the nodes # and the native token #";
    WATCH "token.watch" [contract, symbol, decimals, chain] "Show the token # as # with # decimals on #";
    SERVICE "service" [contract] ", at #";
    UNLESS_LOWERED "service.unless" [] ", unless what is not read lowers it,";
    LENDING "lending" [method, amount, contract, account, chain] "Lending: # # at # for # on #";
    CALL "call" [contract, chain, selector] "Call # on # with the method #, which is not known";
    CREATE "create" [chain] "Create a contract on #, of code that is not read";
    TYPED "typedData" [type, contract] "Sign data of the type # for #: its meaning is not known";
    TYPED_NOWHERE "typedData.nowhere" [type] "Sign data of the type # for no contract: its meaning is not known";
    TEXT "text" [text] "Sign the text #";
    HASH "hash" [hash] "Sign the hash #: what it stands for cannot be read";
    UNREAD "unread" [subject] "# cannot be read";
    AND_PAY "pay" [amount] ", and send # along";
}

/// Kinds of payloads: `(id, title)`.
pub type Kind = &'static (&'static str, &'static str);

macro_rules! kinds {
    ($($name:ident $id:literal $title:literal;)*) => {
        $(
            #[doc = concat!("`", $id, "`: ", $title)]
            pub const $name: Kind = &($id, $title);
        )*
        /// All kinds of payloads.
        pub const KINDS: &[Kind] = &[$($name),*];
    };
}

kinds! {
    DELTA_ORDER "delta.order" "Swap order";
    DELTA_FILLABLE "delta.fillableOrder" "Swap order, filled in parts";
    DELTA_EXTERNAL "delta.externalOrder" "Swap order through a contract";
    DELTA_TWAP "delta.twapOrder" "Sale in slices";
    DELTA_TWAP_BUY "delta.twapBuyOrder" "Purchase in slices";
    DELTA_CANCELLATION "delta.cancellation" "Cancellation of orders";
    DELTA_CALL "delta.call" "Call of the Delta contract";
    OTC_ORDER "otc.order" "OTC offer";
    OTC_FILL "otc.fill" "OTC fill";
    OTC_CANCELLATION "otc.cancellation" "Cancellation of OTC offers";
    MARKET_SWAP "market.swap" "Swap";
    PERMIT "permit.eip2612" "Permit";
    PERMIT_DAI "permit.dai" "Permit of DAI's kind";
    PERMIT2_ALLOWANCE "permit2.allowance" "Permit2 allowance";
    PERMIT2_TRANSFER "permit2.transfer" "Permit2 transfer";
    APPROVAL "erc20.approval" "Approval";
    TRANSFER "erc20.transfer" "Transfer";
    SIGNED_TRANSFER "erc20.authorization" "Transfer by signature";
    OPERATOR_APPROVAL "token.operator" "Approval of all tokens";
    ITEM_TRANSFER "item.transfer" "Transfer of items";
    NAME "name" "Name";
    WRAPPING "native.wrap" "Wrapping of the native token";
    NATIVE_TRANSFER "native.transfer" "Payment";
    SAFE_TRANSACTION "safe.transaction" "Safe transaction";
    SAFE_TEXT "safe.message" "Safe message";
    ACCOUNT_SIGNATURE "account.signature" "Signature of a contract account";
    ACCOUNT_CALL "account.call" "Call of a contract account";
    USER_OPERATIONS "userOperations" "User operations";
    CALLS "batch" "Batch of calls";
    AUTHORIZATION "authorization" "Delegation of an account";
    RIGHTS "delegation" "Delegation of rights";
    PERMISSION "permission" "Permission";
    SERVICE_TRADE "service.trade" "Swap at another service";
    LOAN "service.lending" "Lending";
    CHAIN_ADDED "chain" "Chain to add";
    TOKEN_WATCHED "token" "Token to show";
    MESSAGE "message" "Text to sign";
    BARE_HASH "hash" "Hash to sign";
    TYPED_DATA "typedData" "Typed data";
    TRANSACTION "transaction" "Transaction";
    REQUEST "request" "Request";
}
