//! Contracts of other services that users approve or call, and the caveats of delegations.
//!
//! Each address stands in two public sources, as of 2026-11-28: docs/explain.md, "Contracts of other services", names
//! them, and a native test writes its table from this one. A contract of it is named, and a finite approval of it is
//! `caution` in place of `danger`; an unlimited one stays `danger`.

use alloy_primitives::{Address, address};

/// The chains of this package's table.
const ALL: &[u64] = &[1, 10, 56, 130, 137, 8453, 42161, 43114];
/// The same without Unichain.
const SEVEN: &[u64] = &[1, 10, 56, 137, 8453, 42161, 43114];
/// The same without Optimism.
const SIX: &[u64] = &[1, 56, 137, 8453, 42161, 43114];
/// Those whose Universal Router has no address of its own.
const FIVE: &[u64] = &[10, 56, 137, 42161, 43114];

/// A service's contract: its name, whether users let it take tokens, its chains, its address.
pub type Service = (&'static str, bool, &'static [u64], Address);

/// The whole table.
#[rustfmt::skip]
pub const SERVICES: &[Service] = &[
    ("Uniswap SwapRouter02", true, &[1, 10, 137, 42161], address!("0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45")),
    ("Uniswap SwapRouter02", true, &[8453], address!("0x2626664c2603336E57B271c5C0b26F421741e481")),
    ("Uniswap SwapRouter02", true, &[56], address!("0xB971eF87ede563556b2ED4b1C0b0019111Dd85d2")),
    ("Uniswap SwapRouter02", true, &[130], address!("0x73855d06DE49d0fe4A9c42636Ba96c62da12FF9C")),
    ("Uniswap Universal Router", true, &[1], address!("0x66a9893cC07D91D95644AEDD05D03f95e1dBA8Af")),
    ("Uniswap Universal Router", true, &[10], address!("0x851116D9223fabED8E56C0E6b8Ad0c31d98B3507")),
    ("Uniswap Universal Router", true, &[56], address!("0x1906c1d672b88cD1B9aC7593301cA990F94Eae07")),
    ("Uniswap Universal Router", true, &[130], address!("0xEF740BF23ACAE26F6492B10DE645D6B98DC8EAF3")),
    ("Uniswap Universal Router", true, &[137], address!("0x1095692A6237d83C6a72F3F5eFEdb9A670C49223")),
    ("Uniswap Universal Router", true, &[8453], address!("0x6fF5693b99212Da76ad316178A184AB56D299b43")),
    ("Uniswap Universal Router", true, &[42161], address!("0xA51afAFe0263b40EdaEf0Df8781eA9aa03E381a3")),
    ("Uniswap Universal Router", true, &[1], address!("0x4C82D1fBFe28C977cBB58D8C7FF8FCF9F70a2cCA")),
    ("Uniswap Universal Router", true, FIVE, address!("0x8B844f885672f333Bc0042cB669255f93a4C1E6b")),
    ("Uniswap Universal Router", true, &[130, 8453], address!("0xFdf682F51FE81Aa4898F0AE2163d8A55c127fbC7")),
    ("Uniswap Universal Router", true, &[1, 8453], address!("0x3fC91A3afd70395Cd496C647d5a6CC9D4B2b7FAD")),
    ("UniswapX reactor", true, &[1], address!("0x6000da47483062A0D734Ba3dc7576Ce6A0B645C4")),
    ("UniswapX reactor", true, &[1], address!("0x00000011F84B9aa48e5f8aA8B9897600006289Be")),
    ("UniswapX reactor", true, &[42161], address!("0xB274d5F4b833b61B340b654d600A864fB604a87c")),
    ("1inch router v6", true, ALL, address!("0x111111125421cA6dc452d289314280a0f8842A65")),
    ("1inch router v5", true, SEVEN, address!("0x1111111254EEB25477B68fb85Ed929f73A960582")),
    ("CoW VaultRelayer", true, SIX, address!("0xC92E8bdf79f0507f65a392b0ab4667716BFE0110")),
    // Its solvers run any call as it: what it may take, they may.
    ("CoW settlement", false, SIX, address!("0x9008D19f58AAbD9eD0D60971565AA8510560ab41")),
    ("0x AllowanceHolder", true, ALL, address!("0x0000000000001fF3684f28c67538d4D072C22734")),
    ("0x Exchange Proxy", true, SIX, address!("0xDef1C0ded9bec7F1a1670819833240f027b25EfF")),
    ("0x Exchange Proxy", true, &[10], address!("0xDEF1ABE32c034e558Cdd535791643C58a13aCC10")),
    ("Aave v3 Pool", true, &[1], address!("0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2")),
    ("Aave v3 Pool", true, &[10, 137, 42161, 43114], address!("0x794a61358D6845594F94dc1DB02A252b5b4814aD")),
    ("Aave v3 Pool", true, &[8453], address!("0xA238Dd80C259a72e81d7e4664a9801593F98d1c5")),
    ("Aave v3 Pool", true, &[56], address!("0x6807dc923806fE8Fd134338EABCA509979a7e0cB")),
    ("LI.FI Diamond", true, SEVEN, address!("0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE")),
    ("LI.FI Diamond", true, &[130], address!("0x864b314D4C5a0399368609581d3E8933a63b9232")),
    ("Across SpokePool", true, &[1], address!("0x5c7BCd6E7De5423a257D81B442095A1a6ced35C5")),
    ("Across SpokePool", true, &[10], address!("0x6f26Bf09B1C792e3228e5467807a900A503c0281")),
    ("Across SpokePool", true, &[56], address!("0x4e8E101924eDE233C13e2D8622DC8aED2872d505")),
    ("Across SpokePool", true, &[130, 8453], address!("0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64")),
    ("Across SpokePool", true, &[137], address!("0x9295ee1d8C5b022Be115A2AD3c30C72E34e7F096")),
    ("Across SpokePool", true, &[42161], address!("0xe35e9842fceaCA96570B734083f4a58e8F7C5f2A")),
    ("Across periphery", true, &[1, 10, 56, 137, 8453, 42161], address!("0x10D8b8DaA26d307489803e10477De69C0492B610")),
    ("KyberSwap router v2", true, SEVEN, address!("0x6131B5fae19EA4f9D964eAc0408E4408b66337b5")),
    ("Odos router v2", true, &[1], address!("0xCf5540fFFCdC3d510B18bFcA6d2b9987b0772559")),
    ("Odos router v2", true, &[10], address!("0xCa423977156BB05b13A2BA3b76Bc5419E2fE9680")),
    ("Odos router v2", true, &[56], address!("0x89b8AA89FDd0507a99d334CBe3C808fAFC7d850E")),
    ("Odos router v2", true, &[130], address!("0x6409722F3a1C4486A3b1FE566cBDd5e9D946A1f3")),
    ("Odos router v2", true, &[137], address!("0x4E3288c9ca110bCC82bf38F09A7b425c095d92Bf")),
    ("Odos router v2", true, &[8453], address!("0x19cEeAd7105607Cd444F5ad10dd51356436095a1")),
    ("Odos router v2", true, &[42161], address!("0xa669e7A0d4b3e4Fa48af2dE86BD4CD7126Be4e13")),
    ("Odos router v2", true, &[43114], address!("0x88de50B233052e4Fb783d4F6db78Cc34fEa3e9FC")),
    ("OpenSea conduit", true, SEVEN, address!("0x1E0049783F008A0085193E00003D00cd54003c71")),
    ("DelegationManager", false, ALL, address!("0xdb9B1e94B5b69Df7e401DDbedE43491141047dB3")),
];

/// The caveats of the Delegation Framework, v1.3.0: the contract, its name, and which of two halves of a bound it sets: what
/// is called, and how much of the native token goes along. With both ([`HALVES`]) not everything is allowed.
#[rustfmt::skip]
pub const CAVEATS: &[(Address, &str, u8)] = &[
    (address!("0xf100b0819427117EcF76Ed94B358B1A5b5C6D2Fc"), "ERC20TransferAmount", HALVES),
    (address!("0x474e3Ae7E169e940607cC624Da8A15Eb120139aB"), "ERC20PeriodTransfer", HALVES),
    (address!("0x56c97aE02f233B29fa03502Ecc0457266d9be00e"), "ERC20Streaming", HALVES),
    (address!("0x3790e6B7233f779b09DA74C72b6e94813925b9aF"), "ERC721Transfer", HALVES),
    (address!("0x146713078D39eCC1F5338309c28405ccf85Abfbb"), "ExactExecution", HALVES),
    (address!("0x1e141e455d08721Dd5BCDA1BaA6Ea5633Afd5017"), "ExactExecutionBatch", HALVES),
    (address!("0x99F2e9bF15ce5eC84685604836F71aB835DBBdED"), "ExactCalldata", 1),
    (address!("0xF71af580b9c3078fbc2BBF16FbB8EEd82b330320"), "NativeTokenTransferAmount", 2),
    (address!("0x9BC0FAf4Aca5AE429F4c06aEEaC517520CB16BD9"), "NativeTokenPeriodTransfer", 2),
    (address!("0xD10b97905a320b13a0608f7E9cC506b56747df19"), "NativeTokenStreaming", 2),
    (address!("0x7F20f61b1f09b08D970938F6fa563634d65c4EeB"), "AllowedTargets", 0),
    (address!("0x2c21fD0Cb9DC8445CB3fb0DC5E7Bb0Aca01842B5"), "AllowedMethods", 0),
    (address!("0xc2b0d624c1c4319760C96503BA27C347F3260f55"), "AllowedCalldata", 0),
    (address!("0x92Bf12322527cAA612fd31a0e810472BBB106A8F"), "ValueLte", 0),
    (address!("0x1046bb45C8d673d4ea75321280DB34899413c069"), "Timestamp", 0),
    (address!("0x04658B29F6b82ed55274221a06Fc97D318E25416"), "LimitedCalls", 0),
];
/// Both halves of a bound.
pub const HALVES: u8 = 3;

/// The contracts of a chain.
pub fn here(chain_id: u64) -> impl Iterator<Item = &'static Service> {
    SERVICES.iter().filter(move |(_, _, chains, _)| chains.contains(&chain_id))
}
