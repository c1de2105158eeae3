//! Members of structs and arguments of calls by their name, checked when compiled.
//!
//! Orders and calldata are read by the text of their types, so a member is a name in a string. A misspelt one would
//! read as zero, and a check against zero passes: the one mistake that no test of honest orders notices. Here
//! [`Member::of`] looks the name up in the types in a constant, so that a name that no type has, or that has another
//! type, does not compile. It parses EIP-712's `encodeType` (<https://eips.ethereum.org/EIPS/eip-712>) and Solidity
//! signatures alike.

use alloy_primitives::{Address, B256, U256};
use core::marker::PhantomData;

/// The types that a value may have: EIP-712's `encodeType`, or signatures of functions with argument names.
pub trait Kinds {
    /// The types as text; at least one.
    const TYPES: &'static [&'static str];
}

/// A Rust type into which a member is read.
pub trait ReadWord {
    /// The start of the names of the Solidity types that it can read.
    const KIND: &'static str;
    /// Whether some of the types may lack the member.
    const IS_OPTIONAL: bool = false;
}

impl ReadWord for U256 {
    const KIND: &'static str = "uint";
}

impl ReadWord for Address {
    const KIND: &'static str = "address ";
}

impl ReadWord for Vec<u8> {
    const KIND: &'static str = "bytes ";
}

impl<V: ReadWord> ReadWord for Option<V> {
    const KIND: &'static str = V::KIND;
    const IS_OPTIONAL: bool = true;
}

/// Any Solidity type, for a member that some of the types may lack: read as text only.
#[derive(Clone, Copy, Debug)]
pub enum Any {}

impl ReadWord for Any {
    const KIND: &'static str = "";
    const IS_OPTIONAL: bool = true;
}

/// A dynamic array of structs, which some of the types may lack.
#[derive(Clone, Copy, Debug)]
pub enum List {}

impl ReadWord for List {
    const KIND: &'static str = "[] ";
    const IS_OPTIONAL: bool = true;
}

/// The path of a member that each of the types `K` has and that `V` can read. If `V` is an `Option`, at least one of
/// the types has it.
#[derive(Clone, Copy, Debug)]
pub struct Member<K, V> {
    path: &'static str,
    marker: PhantomData<(K, V)>,
}

impl<K: Kinds, V: ReadWord> Member<K, V> {
    /// The member at a path: `owner`, `bridge.outputToken`. Use it in a constant, or by `member!`: elsewhere a wrong
    /// name panics at run time instead of failing to compile.
    ///
    /// ```
    /// use verified_swap_verify::internal::domain::member::Member;
    /// use verified_swap_verify::internal::domain::typed_struct::StructOf;
    /// # use verified_swap_verify::internal::domain::member::{Kinds, Members};
    /// struct Bid;
    /// impl Kinds for Bid {
    ///     const TYPES: &[&str] = &["Bid(uint256 deadline,address owner)"];
    /// }
    /// fn deadline(bid: &StructOf<Bid>) -> alloy_primitives::U256 {
    ///     bid.uint(const { Member::of("deadline") })
    /// }
    /// ```
    ///
    /// A name that the type does not have does not compile:
    /// ```compile_fail,E0080
    /// use verified_swap_verify::internal::domain::member::Member;
    /// use verified_swap_verify::internal::domain::typed_struct::StructOf;
    /// # use verified_swap_verify::internal::domain::member::{Kinds, Members};
    /// # struct Bid;
    /// # impl Kinds for Bid {
    /// #     const TYPES: &[&str] = &["Bid(uint256 deadline,address owner)"];
    /// # }
    /// fn deadline(bid: &StructOf<Bid>) -> alloy_primitives::U256 {
    ///     bid.uint(const { Member::of("deadlne") })
    /// }
    /// # fn main() { let _: fn(&StructOf<Bid>) -> _ = deadline; }
    /// ```
    pub const fn of(path: &'static str) -> Member<K, V> {
        let (mut types, mut is_known) = (K::TYPES, false);
        while let [encoded, rest @ ..] = types {
            match type_at(encoded.as_bytes(), path.as_bytes()) {
                Some(kind) => {
                    assert!(starts_with(kind, V::KIND.as_bytes()), "a member of another type");
                    is_known = true;
                }
                None => assert!(V::IS_OPTIONAL, "a member that not every type has"),
            }
            types = rest;
        }
        assert!(is_known, "a member that no type has");
        Member { path, marker: PhantomData }
    }

    /// The path: names with dots between.
    pub const fn path(&self) -> &'static str {
        self.path
    }
}

/// A [`Member`] of the types that the context expects, checked when compiled.
#[doc(hidden)]
#[macro_export]
macro_rules! member {
    ($path:literal) => {
        const { $crate::internal::domain::member::Member::of($path) }
    };
}
pub use member;

/// The value at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument<'a> {
    /// A value of one word: a number, an address, `bytesN`.
    Word(B256),
    /// The content of a `bytes`.
    Bytes(&'a [u8]),
}

/// A type that one word holds.
pub trait FromWord: ReadWord {
    /// The value of the word; for an address, its last 20 bytes.
    fn from_word(word: B256) -> Self;
}

impl FromWord for U256 {
    fn from_word(word: B256) -> U256 {
        word.into()
    }
}

impl FromWord for Address {
    fn from_word(word: B256) -> Address {
        Address::from_word(word)
    }
}

/// A value of one of the types `Kinds`, which is read by its members.
pub trait Members {
    /// The types that the value may have.
    type Kinds: Kinds;

    /// The word or the bytes at a path; `None` if there is neither.
    fn at(&self, path: &str) -> Option<Argument<'_>>;

    /// A word that only some of the types have; `None` if this value's type lacks it.
    fn find<V: FromWord>(&self, member: Member<Self::Kinds, Option<V>>) -> Option<V> {
        match self.at(member.path) {
            Some(Argument::Word(word)) => Some(V::from_word(word)),
            _ => None,
        }
    }

    /// `bytes` that only some of the types have; `None` if this value's type lacks them.
    fn find_bytes(&self, member: Member<Self::Kinds, Option<Vec<u8>>>) -> Option<&[u8]> {
        match self.at(member.path) {
            Some(Argument::Bytes(bytes)) => Some(bytes),
            _ => None,
        }
    }

    /// A `uintN` that all of the types have.
    fn uint(&self, member: Member<Self::Kinds, U256>) -> U256 {
        self.find(Member { path: member.path, marker: PhantomData }).unwrap_or_default()
    }

    /// An `address` that all of the types have.
    fn address(&self, member: Member<Self::Kinds, Address>) -> Address {
        self.find(Member { path: member.path, marker: PhantomData }).unwrap_or_default()
    }

    /// `bytes` that all of the types have.
    fn bytes(&self, member: Member<Self::Kinds, Vec<u8>>) -> &[u8] {
        self.find_bytes(Member { path: member.path, marker: PhantomData }).unwrap_or_default()
    }
}

/// The encoded type from the type of the member at `path` on; `None` if it has no such member.
const fn type_at<'t>(encoded: &'t [u8], mut path: &[u8]) -> Option<&'t [u8]> {
    let mut text = encoded;
    while let Some(kind) = type_of(text, path) {
        path = behind(path, b'.');
        if path.is_empty() {
            return Some(kind);
        }
        text = behind(encoded, b')');
        while !text.is_empty() && !is_same_word(text, kind) {
            text = behind(text, b')');
        }
    }
    None
}

/// `text` from the type of that member of its first struct on. Members of a struct without a name count as members of
/// the struct around it.
const fn type_of<'t>(mut text: &'t [u8], name: &[u8]) -> Option<&'t [u8]> {
    let mut kind = text;
    loop {
        match text {
            [b' ', rest @ ..] if is_same_word(rest, name) && is_reached(rest) => return Some(kind),
            [b'(' | b',', rest @ ..] => (kind, text) = (rest, rest),
            [b')', rest @ ..] if matches!(rest, [b' ' | b',' | b')' | b'[', ..]) => (kind, text) = (rest, rest),
            [b')', ..] | [] => return None,
            [_, rest @ ..] => text = rest,
        }
    }
}

/// Whether no struct that is open here has a name: then its members need no path.
const fn is_reached(mut text: &[u8]) -> bool {
    let mut depth = 0_usize;
    while let [first, rest @ ..] = text {
        match (first, rest) {
            (b')', [b' ' | b'[', ..]) if depth == 0 => return false,
            (b')', _) => depth = depth.saturating_sub(1),
            (b'(', _) => depth = depth.saturating_add(1),
            _ => {}
        }
        text = rest;
    }
    true
}

/// The text after the first `byte` in `text`; empty if there is none.
const fn behind(mut text: &[u8], byte: u8) -> &[u8] {
    while let [first, rest @ ..] = text {
        text = rest;
        if *first == byte {
            break;
        }
    }
    text
}

/// Whether both texts begin with the same word of letters and digits.
const fn is_same_word(mut one: &[u8], mut other: &[u8]) -> bool {
    while let ([a, one_rest @ ..], [b, other_rest @ ..]) = (one, other)
        && a.is_ascii_alphanumeric()
        && *a == *b
    {
        (one, other) = (one_rest, other_rest);
    }
    !begins_with_word(one) && !begins_with_word(other)
}

/// Whether a letter or digit comes first.
const fn begins_with_word(text: &[u8]) -> bool {
    matches!(text, [first, ..] if first.is_ascii_alphanumeric())
}

/// Whether `text` begins with `start`.
const fn starts_with(mut text: &[u8], mut start: &[u8]) -> bool {
    while let ([a, text_rest @ ..], [b, start_rest @ ..]) = (text, start)
        && *a == *b
    {
        (text, start) = (text_rest, start_rest);
    }
    start.is_empty()
}
