//! Structs that are signed (EIP-712), each known by its encoded type alone: one routine reads, hashes and writes them
//! all.

use super::abi::Part;
use super::eip712::{self, Digest, atom, width};
use super::member::{Any, Argument, Kinds, Member, Members};
use super::text::{ToText, joined};
use crate::error::{Error, ErrorCode, Result};
use crate::json::{JsonAt, ObjectWriter, array, parse, quoted};
use alloy_primitives::{Address, B256, Keccak256, U256, hex, keccak256};
use core::marker::PhantomData;
use core::ops::Deref;

/// A struct with its values, in the order of its members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedStruct {
    /// `encodeType`: the struct's own part, then those of the structs in it.
    encoded: &'static str,
    values: Vec<Value>,
}

/// The value of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// `address`, `bool`, `uintN`, `intN`, `bytesN`: the word that is hashed.
    Word(B256),
    /// `bytes`, or the UTF-8 of a `string`.
    Bytes(Vec<u8>),
    /// `string[]`.
    Texts(Vec<String>),
    /// A struct.
    Struct(TypedStruct),
}

/// The members of the first struct in an encoded type, as (name, type).
pub fn members(encoded: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let body = encoded.split(')').next().and_then(|part| part.split_once('(')).unwrap_or_default().1;
    body.split(',').filter_map(|member| member.split_once(' ')).map(|(kind, name)| (name, kind))
}

/// The name of the first struct in an encoded type.
pub fn name(encoded: &str) -> &str {
    encoded.split('(').next().unwrap_or_default()
}

/// The part of an encoded type that is about the struct of that name.
pub fn part(encoded: &'static str, wanted: &str) -> Option<&'static str> {
    encoded.split_inclusive(')').find(|part| name(part) == wanted)
}

impl TypedStruct {
    /// A struct made here: as many values as the type has members, in their order.
    pub fn of(encoded: &'static str, values: Vec<Value>) -> TypedStruct {
        debug_assert_eq!(members(encoded).count(), values.len(), "{encoded}");
        TypedStruct { encoded, values }
    }

    /// A struct made here, the value of each member told by its name and type.
    pub fn made(encoded: &'static str, value: &dyn Fn(&'static str, &'static str) -> Value) -> TypedStruct {
        let mut values = Vec::new();
        for (name, kind) in members(encoded) {
            values.push(value(name, kind));
        }
        TypedStruct { encoded, values }
    }

    /// Reads one strictly: integers are canonical decimals, bytes hex with `0x`, addresses in any casing. Members that
    /// the type does not have are left alone.
    ///
    /// # Errors
    /// Names the member that does not fit its type.
    pub fn read(encoded: &'static str, value: &JsonAt<'_>) -> Result<TypedStruct> {
        let mut values = Vec::new();
        for (name, kind) in members(encoded) {
            values.push(read(encoded, kind, &value.get(name))?);
        }
        Ok(TypedStruct { encoded, values })
    }

    /// `encodeType`.
    pub fn encoded(&self) -> &'static str {
        self.encoded
    }

    /// The (type, value) at a path: `owner`, `bridge.outputToken`.
    fn find(&self, path: &str) -> Option<(&'static str, &Value)> {
        let (first, rest) = path.split_once('.').unwrap_or((path, ""));
        let mut all = members(self.encoded).zip(&self.values);
        match all.find(|((name, _), _)| *name == first) {
            Some((_, Value::Struct(inner))) => inner.find(rest),
            found => found.map(|((_, kind), value)| (kind, value)),
        }
    }

    /// The names of the members, and what stands there as it is written: decimals, EIP-55, `0x` and hex.
    pub fn texts(&self) -> impl Iterator<Item = (&'static str, String)> {
        members(self.encoded).zip(&self.values).map(|((name, kind), value)| (name, value.text(kind)))
    }

    /// As an argument of a call: words are laid out there as they are hashed.
    pub fn parts(&self) -> Vec<Part<'_>> {
        let mut parts = Vec::new();
        for value in &self.values {
            parts.push(value.part());
        }
        parts
    }

    /// `hashStruct`.
    pub fn hash(&self) -> B256 {
        let mut hasher = Keccak256::new();
        hasher.update(keccak256(self.encoded));
        for value in &self.values {
            hasher.update(value.encode());
        }
        hasher.finalize()
    }

    /// The hashes of this struct in that domain.
    pub fn digest(&self, domain: &TypedStruct) -> Digest {
        Digest::join(domain.hash(), self.hash())
    }

    /// The typed data a wallet is given: `EIP712Domain` included, the chain id a number, other integers decimal
    /// strings, nothing but what the types have.
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

    /// The hashes of this struct in that domain, and the typed data, read back and hashed as a wallet will.
    ///
    /// # Errors
    /// INTERNAL where the two are not of one struct.
    pub fn to_sign(&self, domain: &TypedStruct) -> Result<(Digest, String)> {
        let (digest, text) = (self.digest(domain), self.typed_data(domain));
        if eip712::digest(&parse(&text).map_err(Error::not_json)?)? != digest {
            return Err(Error::new(ErrorCode::Internal, "the text for the wallet does not hash to what is signed"));
        }
        Ok((digest, text))
    }

    /// The struct as JSON.
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

/// A struct of one of the types `K`, which is read by its members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructOf<K> {
    inner: TypedStruct,
    kinds: PhantomData<K>,
}

impl<K: Kinds> StructOf<K> {
    /// A struct of the first type, made here: as many values as it has members, in their order.
    pub fn made(values: Vec<Value>) -> StructOf<K> {
        StructOf { inner: TypedStruct::of(first::<K>(), values), kinds: PhantomData }
    }

    /// Reads a struct of the first type, as [`TypedStruct::read`] does.
    ///
    /// # Errors
    /// Names the member that does not fit its type.
    pub fn read(at: &JsonAt<'_>) -> Result<StructOf<K>> {
        let inner = TypedStruct::read(first::<K>(), at)?;
        Ok(StructOf { inner, kinds: PhantomData })
    }

    /// The struct, if it is of one of the types.
    pub fn known(inner: TypedStruct) -> Option<StructOf<K>> {
        K::TYPES.contains(&inner.encoded).then_some(StructOf { inner, kinds: PhantomData })
    }

    /// What stands at a member, as it is written; empty where the type has no such member.
    pub fn text(&self, member: Member<K, Any>) -> String {
        self.inner.find(member.path()).map(|(kind, value)| value.text(kind)).unwrap_or_default()
    }
}

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

fn field((name, kind): (&str, &str)) -> String {
    let mut field = ObjectWriter::object();
    field.text("name", name);
    field.text("type", kind);
    field.close()
}

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
                // What wallets read in more than one way, and the service never writes.
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
    fn part(&self) -> Part<'_> {
        match self {
            Value::Word(word) => Part::Word(*word),
            Value::Bytes(bytes) => Part::Bytes(bytes),
            Value::Texts(texts) => Part::Array(texts.iter().map(|text| Part::Bytes(text.as_bytes())).collect()),
            Value::Struct(inner) => Part::Struct(inner.parts()),
        }
    }

    /// `encodeData`: always one word.
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

fn word_text(word: &B256, kind: &str) -> String {
    let number = U256::from_be_bytes(word.0);
    match width(kind, "bytes", 32) {
        Some(size) => hex::encode_prefixed(word.get(..size).unwrap_or_default()),
        None if kind == "address" => Address::from_word(*word).text(),
        None if kind == "bool" => if number.is_zero() { "false" } else { "true" }.into(),
        None if kind.starts_with("int") && number.bit(255) => ["-", &number.wrapping_neg().text()].concat(),
        None => number.text(),
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
