//! Structs that are signed (EIP-712, <https://eips.ethereum.org/EIPS/eip-712>): Delta orders, OTC orders, permits,
//! cancellations, and the domains they are signed in.
//!
//! A struct is its `encodeType` text and a list of values. One routine each reads, hashes and writes all types by that
//! text, so that none of them can have a member in the hash that is missing in the text for the wallet.

use super::abi::Part;
use super::eip712::{Digest, atom, hardware_view, word_text};
use super::member::{Any, Argument, Kinds, Member, Members};
use crate::error::{Error, ErrorCode, Result};
use crate::json::{JsonAt, ObjectWriter, array, parse, quoted};
use crate::value::text::joined;
use alloy_primitives::{Address, B256, Keccak256, U256, hex, keccak256};
use core::marker::PhantomData;
use core::ops::Deref;

/// A struct of some type, with the values of its members in the type's order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedStruct {
    /// `encodeType`: the struct's own type, then those of the structs inside it.
    encoded: &'static str,
    values: Vec<Value>,
}

/// Typed data in the form for a wallet.
#[derive(Clone, Debug)]
pub struct TypedText {
    /// Its EIP-712 hashes: of the struct, and the digest to sign.
    pub digest: Digest,
    /// The typed data as JSON text.
    pub text: String,
    /// The hardware wallet's view of it, as JSON text ([`hardware_view`]).
    pub hardware: String,
}

/// The value of a member, in one of the forms that the types of this package need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// An `address`, `bool`, `uintN`, `intN` or `bytesN`, as the word to hash.
    Word(B256),
    /// The content of a `bytes`, or the UTF-8 of a `string`.
    Bytes(Vec<u8>),
    /// The items of a `string[]`.
    Texts(Vec<String>),
    /// A struct inside the struct.
    Struct(TypedStruct),
}

/// The members of the first struct in an encoded type, as (name, type).
///
/// ```
/// use verified_swap_verify::internal::domain::typed_struct::members;
/// let found: Vec<_> = members("Bid(address owner,uint256 amount)").collect();
/// assert_eq!(found, [("owner", "address"), ("amount", "uint256")]);
/// ```
pub fn members(encoded: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let body = encoded.split(')').next().and_then(|part| part.split_once('(')).unwrap_or_default().1;
    body.split(',').filter_map(|member| member.split_once(' ')).map(|(kind, name)| (name, kind))
}

/// The name of the first struct in an encoded type.
pub fn name(encoded: &str) -> &str {
    encoded.split('(').next().unwrap_or_default()
}

/// The part of an encoded type that defines the struct `wanted`; `None` if it has no such struct.
pub fn part(encoded: &'static str, wanted: &str) -> Option<&'static str> {
    encoded.split_inclusive(')').find(|part| name(part) == wanted)
}

impl TypedStruct {
    /// A struct made here: as many values as the type has members, in their order.
    pub fn of(encoded: &'static str, values: Vec<Value>) -> TypedStruct {
        debug_assert_eq!(members(encoded).count(), values.len(), "{encoded}");
        TypedStruct { encoded, values }
    }

    /// A struct made here: `value` gives the value of each member by its name and type.
    pub fn made(encoded: &'static str, value: &dyn Fn(&'static str, &'static str) -> Value) -> TypedStruct {
        let mut values = Vec::new();
        for (name, kind) in members(encoded) {
            values.push(value(name, kind));
        }
        TypedStruct { encoded, values }
    }

    /// Reads a struct from JSON, strictly: integers are canonical decimals, bytes are hex with `0x`, addresses have any
    /// casing. Members that the type does not have are ignored, and never reach the wallet.
    ///
    /// # Errors
    /// A fault at the member that is missing or does not fit its type.
    pub fn read(encoded: &'static str, value: &JsonAt<'_>) -> Result<TypedStruct> {
        let mut values = Vec::new();
        for (name, kind) in members(encoded) {
            values.push(read(encoded, kind, &value.get(name))?);
        }
        Ok(TypedStruct { encoded, values })
    }

    /// The struct's `encodeType`.
    pub fn encoded(&self) -> &'static str {
        self.encoded
    }

    /// The (type, value) at a path such as `owner` or `bridge.outputToken`.
    fn find(&self, path: &str) -> Option<(&'static str, &Value)> {
        let (first, rest) = path.split_once('.').unwrap_or((path, ""));
        let mut all = members(self.encoded).zip(&self.values);
        match all.find(|((name, _), _)| *name == first) {
            Some((_, Value::Struct(inner))) => inner.find(rest),
            found => found.map(|((_, kind), value)| (kind, value)),
        }
    }

    /// The members as (name, text): numbers in decimal, addresses with their checksum, bytes as `0x` and hex.
    pub fn texts(&self) -> impl Iterator<Item = (&'static str, String)> {
        members(self.encoded).zip(&self.values).map(|((name, kind), value)| (name, value.text(kind)))
    }

    /// The struct as an argument of a contract call; each word is the hashed one.
    pub fn parts(&self) -> Vec<Part<'_>> {
        let mut parts = Vec::new();
        for value in &self.values {
            parts.push(value.part());
        }
        parts
    }

    /// The struct's `hashStruct`.
    pub fn hash(&self) -> B256 {
        let mut hasher = Keccak256::new();
        hasher.update(keccak256(self.encoded));
        for value in &self.values {
            hasher.update(value.encode());
        }
        hasher.finalize()
    }

    /// The digest of this struct in that domain.
    pub fn digest(&self, domain: &TypedStruct) -> Digest {
        Digest::join(domain.hash(), self.hash())
    }

    /// The typed data for a wallet, as JSON text: `EIP712Domain` included, the chain id a number, other integers
    /// decimal strings, and no member that the types do not have.
    pub fn typed_data(&self, domain: &TypedStruct) -> String {
        let mut types = ObjectWriter::object();
        for one in &[domain, self] {
            for part in one.encoded.split_inclusive(')') {
                let mut fields = Vec::new();
                for member in members(part) {
                    fields.push(field(member));
                }
                types.raw(name(part), &array(&fields));
            }
        }
        let mut out = ObjectWriter::object();
        out.raw("types", &types.close());
        out.text("primaryType", name(self.encoded));
        out.raw("domain", &domain.message());
        out.raw("message", &self.message());
        out.close()
    }

    /// The typed data for the wallet, parsed and hashed once more in the wallet's way.
    ///
    /// # Errors
    /// INTERNAL if the text hashes to something else: another struct than the verified one would be signed.
    pub fn to_sign(&self, domain: &TypedStruct) -> Result<TypedText> {
        let (digest, text) = (self.digest(domain), self.typed_data(domain));
        let (hashed, hardware) = hardware_view(&parse(&text).map_err(Error::not_json)?)?;
        if hashed != digest {
            return Err(Error::new(ErrorCode::Internal, "the text for the wallet does not hash to what is signed"));
        }
        Ok(TypedText { digest, text, hardware })
    }

    /// The struct as a JSON object: the `message` of typed data.
    pub fn message(&self) -> String {
        let mut out = ObjectWriter::object();
        for ((name, kind), value) in members(self.encoded).zip(&self.values) {
            match value {
                Value::Struct(inner) => out.raw(name, &inner.message()),
                Value::Texts(texts) => {
                    let mut items = Vec::new();
                    for text in texts {
                        items.push(quoted(text));
                    }
                    out.raw(name, &array(&items));
                }
                // Wallets want the domain's chain id as a number; a message's would lose digits above 2^53.
                _ if kind == "bool" || self.encoded.starts_with("EIP712Domain(") && name == "chainId" => {
                    out.raw(name, &value.text(kind));
                }
                _ => out.text(name, &value.text(kind)),
            }
        }
        out.close()
    }
}

/// A struct of one of the types `K`, whose members are read by name, checked when compiled ([`super::member`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructOf<K> {
    inner: TypedStruct,
    kinds: PhantomData<K>,
}

impl<K: Kinds> StructOf<K> {
    /// A struct of the first of the types, made here: as many values as it has members, in their order.
    pub fn made(values: Vec<Value>) -> StructOf<K> {
        StructOf { inner: TypedStruct::of(first::<K>(), values), kinds: PhantomData }
    }

    /// Reads a struct of the first of the types, as [`TypedStruct::read`] does.
    ///
    /// # Errors
    /// The errors of [`TypedStruct::read`].
    pub fn read(at: &JsonAt<'_>) -> Result<StructOf<K>> {
        let inner = TypedStruct::read(first::<K>(), at)?;
        Ok(StructOf { inner, kinds: PhantomData })
    }

    /// The struct as one of the types `K`; `None` if it is of another type.
    pub fn known(inner: TypedStruct) -> Option<StructOf<K>> {
        K::TYPES.contains(&inner.encoded).then_some(StructOf { inner, kinds: PhantomData })
    }

    /// The same struct with no bytes in that member.
    pub fn without(&self, member: Member<K, Vec<u8>>) -> StructOf<K> {
        let mut inner = self.inner.clone();
        for ((name, _), value) in members(inner.encoded).zip(&mut inner.values) {
            if name == member.path() {
                *value = Value::Bytes(vec![]);
            }
        }
        StructOf { inner, kinds: PhantomData }
    }

    /// The text of a member, as in [`TypedStruct::texts`]; empty if this struct's type lacks it.
    pub fn text(&self, member: Member<K, Any>) -> String {
        self.inner.find(member.path()).map(|(kind, value)| value.text(kind)).unwrap_or_default()
    }
}

/// The first of the types.
fn first<K: Kinds>() -> &'static str {
    K::TYPES.first().copied().unwrap_or_default()
}

impl<K: Kinds> Members for StructOf<K> {
    type Kinds = K;

    fn at(&self, path: &str) -> Option<Argument<'_>> {
        match self.inner.find(path)?.1 {
            Value::Word(word) => Some(Argument::Word(*word)),
            Value::Bytes(bytes) => Some(Argument::Bytes(bytes)),
            _ => None,
        }
    }
}

impl<K> Deref for StructOf<K> {
    type Target = TypedStruct;

    fn deref(&self) -> &TypedStruct {
        &self.inner
    }
}

/// A member as typed data lists it: `{ name, type }`.
pub fn field((name, kind): (&str, &str)) -> String {
    let mut field = ObjectWriter::object();
    field.text("name", name);
    field.text("type", kind);
    field.close()
}

/// Reads the value of a member of type `kind`; `encoded` has the possible structs.
fn read(encoded: &'static str, kind: &'static str, at: &JsonAt<'_>) -> Result<Value> {
    Ok(match kind {
        "bytes" => Value::Bytes(at.bytes()?),
        "string" => Value::Bytes(at.text()?.into()),
        "string[]" => {
            let mut texts = Vec::new();
            for item in at.items()? {
                texts.push(item.text()?.into());
            }
            Value::Texts(texts)
        }
        _ => match part(encoded, kind) {
            Some(inner) => Value::Struct(TypedStruct::read(inner, at)?),
            None => {
                let is_integer = kind.starts_with("uint") || kind.starts_with("int");
                // Wallets read these spellings in more than one way, and the service never writes them.
                let ambiguous = |text: &str| text == "-0" || text.bytes().any(|byte| byte == b'x');
                if is_integer && at.number_or_text().is_some_and(ambiguous) {
                    return Err(at.fault(kind));
                }
                Value::Word(atom(kind, at)?)
            }
        },
    })
}

impl Value {
    /// The value as an argument of a contract call.
    fn part(&self) -> Part<'_> {
        match self {
            Value::Word(word) => Part::Word(*word),
            Value::Bytes(bytes) => Part::Bytes(bytes),
            Value::Texts(texts) => Part::Array(texts.iter().map(|text| Part::Bytes(text.as_bytes())).collect()),
            Value::Struct(inner) => Part::Struct(inner.parts()),
        }
    }

    /// `encodeData` of the value, always one word.
    fn encode(&self) -> B256 {
        match self {
            Value::Word(word) => *word,
            Value::Bytes(bytes) => keccak256(bytes),
            Value::Struct(inner) => inner.hash(),
            Value::Texts(texts) => {
                let mut hasher = Keccak256::new();
                for text in texts {
                    hasher.update(keccak256(text));
                }
                hasher.finalize()
            }
        }
    }

    /// The value as text, by its type.
    fn text(&self, kind: &str) -> String {
        match self {
            Value::Word(word) => word_text(word, kind),
            Value::Bytes(bytes) if kind == "string" => String::from_utf8(bytes.clone()).unwrap_or_default(),
            Value::Bytes(bytes) => hex::encode_prefixed(bytes),
            Value::Texts(texts) => joined(texts, ", "),
            Value::Struct(inner) => inner.message(),
        }
    }
}

impl From<U256> for Value {
    fn from(number: U256) -> Value {
        Value::Word(number.into())
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Value {
        U256::from(number).into()
    }
}

impl From<bool> for Value {
    fn from(yes: bool) -> Value {
        u64::from(yes).into()
    }
}

impl From<Address> for Value {
    fn from(address: Address) -> Value {
        Value::Word(address.into_word())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Bytes(text.into())
    }
}
