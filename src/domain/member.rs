//! Members by name, checked when compiled: a name that the types do not have, or not of that type, is no program.

use alloy_primitives::{Address, B256, U256};
use core::marker::PhantomData;

/// The types of which a value has one: EIP-712's `encodeType`, or signatures of functions with the names of their arguments.
pub trait Kinds {
    /// At least one.
    const TYPES: &'static [&'static str];
}

/// What a member is read as.
pub trait Reading {
    /// How the types begin that are read so.
    const KIND: &'static str;
    /// Whether a type need not have the member.
    const IS_OPTIONAL: bool = false;
}

impl Reading for U256 {
    const KIND: &'static str = "uint";
}

impl Reading for Address {
    const KIND: &'static str = "address ";
}

impl Reading for Vec<u8> {
    const KIND: &'static str = "bytes ";
}

impl<V: Reading> Reading for Option<V> {
    const KIND: &'static str = V::KIND;
    const IS_OPTIONAL: bool = true;
}

/// A member of whatever type, which not every type has.
#[derive(Clone, Copy, Debug)]
pub enum Any {}

impl Reading for Any {
    const KIND: &'static str = "";
    const IS_OPTIONAL: bool = true;
}

/// A list of structs, which not every type has.
#[derive(Clone, Copy, Debug)]
pub enum List {}

impl Reading for List {
    const KIND: &'static str = "[] ";
    const IS_OPTIONAL: bool = true;
}

/// A member that each of the types `K` has, of a type that is read as `V`; one that some of them have, where `V` is optional.
#[derive(Clone, Copy, Debug)]
pub struct Member<K, V> {
    path: &'static str,
    marker: PhantomData<(K, V)>,
}

impl<K: Kinds, V: Reading> Member<K, V> {
    /// The member at a path: `owner`, `bridge.outputToken`. To be used in a constant, or by `member!`.
    ///
    /// ```
    /// use verified_swap::domain::member::Member;
    /// use verified_swap::domain::typed_struct::StructOf;
    /// # use verified_swap::domain::member::{Kinds, Members};
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
    /// use verified_swap::domain::member::Member;
    /// use verified_swap::domain::typed_struct::StructOf;
    /// # use verified_swap::domain::member::{Kinds, Members};
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

    /// Its path.
    pub const fn path(&self) -> &'static str {
        self.path
    }
}

/// A [`Member`] of the types that it is used with.
macro_rules! member {
    ($path:literal) => {
        const { $crate::domain::member::Member::of($path) }
    };
}
pub(crate) use member;

/// A value that was found at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument<'a> {
    /// Of one word.
    Word(B256),
    /// `bytes`.
    Bytes(&'a [u8]),
}

/// What a word stands for.
pub trait FromWord: Reading {
    /// The value; of an address the last 20 bytes.
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

/// A value that has one of the types [`Kinds`], read by its members.
pub trait Members {
    /// The types.
    type Kinds: Kinds;

    /// What stands at a path, where that is a word or bytes.
    fn at(&self, path: &str) -> Option<Argument<'_>>;

    /// A word that only some of the types have.
    fn find<V: FromWord>(&self, member: Member<Self::Kinds, Option<V>>) -> Option<V> {
        match self.at(member.path) {
            Some(Argument::Word(word)) => Some(V::from_word(word)),
            _ => None,
        }
    }

    /// `bytes` that only some of the types have.
    fn find_bytes(&self, member: Member<Self::Kinds, Option<Vec<u8>>>) -> Option<&[u8]> {
        match self.at(member.path) {
            Some(Argument::Bytes(bytes)) => Some(bytes),
            _ => None,
        }
    }

    /// An integer without sign.
    fn uint(&self, member: Member<Self::Kinds, U256>) -> U256 {
        self.find(Member { path: member.path, marker: PhantomData }).unwrap_or_default()
    }

    /// An address.
    fn address(&self, member: Member<Self::Kinds, Address>) -> Address {
        self.find(Member { path: member.path, marker: PhantomData }).unwrap_or_default()
    }

    /// `bytes`.
    fn bytes(&self, member: Member<Self::Kinds, Vec<u8>>) -> &[u8] {
        self.find_bytes(Member { path: member.path, marker: PhantomData }).unwrap_or_default()
    }
}

/// The text from the type of the member at that path on.
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

/// The text from the type of that member of the first struct on. A member of a struct without a name is one of the struct
/// around it.
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

/// Whether no struct that is open here has a name, by which its members would have to be called.
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

/// What follows the first such byte.
const fn behind(mut text: &[u8], byte: u8) -> &[u8] {
    while let [first, rest @ ..] = text {
        text = rest;
        if *first == byte {
            break;
        }
    }
    text
}

/// Whether both begin with the same word.
const fn is_same_word(mut one: &[u8], mut other: &[u8]) -> bool {
    while let ([a, one_rest @ ..], [b, other_rest @ ..]) = (one, other)
        && a.is_ascii_alphanumeric()
        && *a == *b
    {
        (one, other) = (one_rest, other_rest);
    }
    !begins_with_word(one) && !begins_with_word(other)
}

const fn begins_with_word(text: &[u8]) -> bool {
    matches!(text, [first, ..] if first.is_ascii_alphanumeric())
}

const fn starts_with(mut text: &[u8], mut start: &[u8]) -> bool {
    while let ([a, text_rest @ ..], [b, start_rest @ ..]) = (text, start)
        && *a == *b
    {
        (text, start) = (text_rest, start_rest);
    }
    start.is_empty()
}
