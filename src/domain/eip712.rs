//! EIP-712: the digest of any typed data, from its JSON.
//!
//! Orders are hashed twice: from what was read of them (`typed_struct`), and by this module from the very text the
//! wallet is given. The second also serves typed data of any other type.

use super::{address, amount};
use crate::error::{Error, Result};
use crate::json::{Json, JsonAt, MAX_TAKEN, sorted};
use alloy_primitives::{B256, I256, U256, hex, keccak256};

/// The separator, the struct's hash, and the digest that is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest {
    /// `hashStruct(domain)`.
    pub domain_separator: B256,
    /// `hashStruct(message)`; zero where the domain is all that is signed.
    pub struct_hash: B256,
    /// `keccak256(0x1901 ‖ domain separator ‖ struct hash)`.
    pub digest: B256,
}

impl Digest {
    /// Joins the two halves.
    pub fn join(domain_separator: B256, struct_hash: B256) -> Digest {
        let mut bytes = [0u8; 66];
        let (prefix, rest) = bytes.split_at_mut(2);
        let (left, right) = rest.split_at_mut(32);
        prefix.copy_from_slice(&[0x19, 0x01]);
        left.copy_from_slice(domain_separator.as_slice());
        right.copy_from_slice(struct_hash.as_slice());
        Digest { domain_separator, struct_hash, digest: keccak256(bytes) }
    }
}

/// The domain's own type.
const DOMAIN: &str = "EIP712Domain";

/// The members a domain may have, in the order of the standard.
const DOMAIN_MEMBERS: [(&str, &str); 5] = [
    ("name", "string"),
    ("version", "string"),
    ("chainId", "uint256"),
    ("verifyingContract", "address"),
    ("salt", "bytes32"),
];

/// The most types, and members of a type.
const MAX_TYPES: usize = 128;

/// The most characters of all types together: each is written once more in the type of every other that leads to it.
const MAX_TYPES_TEXT: usize = 16_384;

/// Deepest nesting of structs and arrays.
const MAX_DEPTH: usize = 64;

/// The digest of `{ types, primaryType?, domain, message | value }`. Without `primaryType`, the one type that no other
/// refers to is the root. Without `types.EIP712Domain`, the domain's type is made of the members that it has. With the
/// domain as `primaryType` there is no message: the digest is that of its separator alone.
///
/// # Errors
/// Names the first member that does not fit its type.
pub fn digest(typed_data: &Json) -> Result<Digest> {
    let root = JsonAt::input(typed_data, "");
    let types = Types::read(&root.get("types"))?;
    types.check(&root.get("types"))?;
    let primary = match root.get("primaryType").some() {
        Some(name) => name.text()?,
        None => types.root().ok_or_else(|| root.get("primaryType").fault("the name of the root type"))?,
    };
    let message = root.get("message").some().unwrap_or_else(|| root.get("value"));
    let domain = root.get("domain");
    let domain_separator = match types.find(DOMAIN) {
        Some(place) => Hashing::of(&types).hash_struct(place, &domain, 0)?,
        None => {
            let present = DOMAIN_MEMBERS.iter().filter(|(name, _)| !domain.get(name).is_absent());
            let types = Types(vec![(DOMAIN, present.copied().collect())]);
            Hashing::of(&types).hash_struct(0, &domain, 0)?
        }
    };
    if primary == DOMAIN {
        let digest = keccak256([&[0x19, 0x01], domain_separator.as_slice()].concat());
        return Ok(Digest { domain_separator, struct_hash: B256::ZERO, digest });
    }
    let place = types.find(primary).ok_or_else(|| Error::input("primaryType", "a type that is defined", primary))?;
    let struct_hash = Hashing::of(&types).hash_struct(place, &message, 0)?;
    Ok(Digest::join(domain_separator, struct_hash))
}

type Fields<'a> = Vec<(&'a str, &'a str)>;

/// The struct types of typed data, in the order of their names.
#[derive(Clone, Debug)]
pub struct Types<'a>(Vec<(&'a str, Fields<'a>)>);

impl<'a> Types<'a> {
    /// Reads `{ Name: [{ name, type }] }`.
    ///
    /// # Errors
    /// Names the entry that is not like that.
    pub fn read(types: &JsonAt<'a>) -> Result<Types<'a>> {
        if types.is_absent() {
            return Err(types.fault("the struct types by name"));
        }
        let (mut found, mut text) = (Types(Vec::new()), 0_usize);
        for (count, name) in types.names().enumerate() {
            if count >= MAX_TYPES {
                return Err(types.fault("at most 128 types"));
            }
            let mut fields: Fields<'a> = Vec::new();
            text = text.saturating_add(name.len());
            for field in types.get(name).items()? {
                let (member, kind) = (field.get("name").text()?, field.get("type").text()?);
                if fields.len() >= MAX_TYPES {
                    return Err(types.get(name).fault("at most 128 members"));
                }
                fields.push((member, kind));
                text = text.saturating_add(member.len()).saturating_add(kind.len());
                if text > MAX_TYPES_TEXT {
                    return Err(types.fault("types of at most 16384 characters"));
                }
            }
            if sorted(&fields, |(member, _)| member).is_none() {
                return Err(types.get(name).fault("members each with a name of its own"));
            }
            let place = found.place(name).unwrap_or_else(|place| place);
            found.0.insert(place, (name, fields));
        }
        Ok(found)
    }

    /// Every name must leave the encoded type readable in one way only, and every member's type be defined.
    fn check(&self, types: &JsonAt<'_>) -> Result<()> {
        for (name, fields) in &self.0 {
            if !is_name(name) || is_atom(name) {
                return Err(types.get(name).fault("a name that no other type has"));
            }
            for (member, kind) in fields {
                let inner = innermost(kind);
                if !is_name(member) || !(is_atom(inner) || self.find(inner).is_some()) {
                    return Err(types.get(name).fault("members with a name and a type that is defined"));
                }
            }
        }
        Ok(())
    }

    /// The names of all types.
    pub fn names(&self) -> impl Iterator<Item = &'a str> {
        self.0.iter().map(|(name, _)| *name)
    }

    fn place(&self, name: &str) -> core::result::Result<usize, usize> {
        self.0.binary_search_by(|(known, _)| (*known).cmp(name))
    }

    /// Which type has that name.
    fn find(&self, name: &str) -> Option<usize> {
        self.place(name).ok()
    }

    /// The types that the members of one are made of.
    fn inside(&self, place: usize) -> impl Iterator<Item = usize> {
        let fields = self.0.get(place).map_or(&[][..], |(_, fields)| fields);
        fields.iter().filter_map(|(_, kind)| self.find(element(kind)))
    }

    /// The one type that no other refers to, `EIP712Domain` left aside.
    pub fn root(&self) -> Option<&'a str> {
        let mut referenced = vec![false; self.0.len()];
        for holder in 0..self.0.len() {
            for inner in self.inside(holder).filter(|inner| *inner != holder) {
                mark(&mut referenced, inner);
            }
        }
        let unreferenced = self.names().zip(referenced).filter(|(name, referenced)| !referenced && *name != DOMAIN);
        let mut roots = unreferenced.map(|(name, _)| name);
        match (roots.next(), roots.next()) {
            (Some(root), None) => Some(root),
            _ => None,
        }
    }

    /// `encodeType`: the type, then those it refers to, sorted by name. `None` for an unknown one.
    pub fn encode_type(&self, name: &str) -> Option<String> {
        let place = self.find(name)?;
        Some(self.encoded(place, &self.reached(place)))
    }

    fn encoded(&self, place: usize, reached: &[bool]) -> String {
        let others = (0..self.0.len()).zip(reached).filter(|(other, reached)| **reached && *other != place);
        let mut out = String::new();
        for place in core::iter::once(place).chain(others.map(|(other, _)| other)) {
            let Some((name, fields)) = self.0.get(place) else { continue };
            out.push_str(name);
            out.push('(');
            for (index, (member, kind)) in fields.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                out.push_str(kind);
                out.push(' ');
                out.push_str(member);
            }
            out.push(')');
        }
        out
    }

    /// The types that a type leads to; itself only where it holds itself.
    fn reached(&self, place: usize) -> Vec<bool> {
        let mut reached = vec![false; self.0.len()];
        let mut open = vec![place];
        while let Some(next) = open.pop() {
            for inner in self.inside(next) {
                if mark(&mut reached, inner) {
                    open.push(inner);
                }
            }
        }
        reached
    }
}

/// Marks one; says whether it was not.
fn mark(marks: &mut [bool], place: usize) -> bool {
    marks.get_mut(place).is_some_and(|mark| !core::mem::replace(mark, true))
}

/// The hashing of one value by its types.
struct Hashing<'t, 'a> {
    types: &'t Types<'a>,
    /// By type: the hash of its encoded type and whether it contains itself, once they were needed.
    type_hashes: Vec<Option<(B256, bool)>>,
    /// How many values there were.
    values: usize,
}

impl<'t, 'a> Hashing<'t, 'a> {
    fn of(types: &'t Types<'a>) -> Self {
        Hashing { types, type_hashes: vec![None; types.0.len()], values: 0 }
    }

    /// The hash of a type's encoding, and whether it holds itself; worked out once.
    fn type_hash(&mut self, place: usize) -> (B256, bool) {
        if let Some(Some(known)) = self.type_hashes.get(place) {
            return *known;
        }
        let reached = self.types.reached(place);
        let holds_itself = reached.get(place).copied().unwrap_or_default();
        let known = (keccak256(self.types.encoded(place, &reached)), holds_itself);
        if let Some(place) = self.type_hashes.get_mut(place) {
            *place = Some(known);
        }
        known
    }

    /// `hashStruct`, for the type at that place.
    ///
    /// # Errors
    /// Names the member that is missing or does not fit.
    fn hash_struct(&mut self, place: usize, value: &JsonAt<'a>, depth: usize) -> Result<B256> {
        if !matches!(value.json(), Some(Json::Object(_))) {
            return Err(value.fault("an object"));
        }
        let types = self.types;
        let fields = types.0.get(place).map_or(&[][..], |(_, fields)| fields);
        let mut words = Vec::with_capacity(fields.len().saturating_add(1).saturating_mul(32));
        words.extend_from_slice(self.type_hash(place).0.as_slice());
        for (member, kind) in fields {
            words.extend_from_slice(self.word(kind, &value.get(member), depth.saturating_add(1))?.as_slice());
        }
        Ok(keccak256(words))
    }

    /// `encodeData` of one member: always one word.
    fn word(&mut self, kind: &str, value: &JsonAt<'a>, depth: usize) -> Result<B256> {
        if depth > MAX_DEPTH {
            return Err(value.fault("less nesting"));
        }
        self.values = self.values.saturating_add(1);
        if self.values > MAX_TAKEN {
            return Err(value.fault("at most 32768 values in all"));
        }
        if let Some((inner, length)) = array(kind) {
            let items = value.items()?;
            if length.is_some_and(|length| length != items.len()) {
                return Err(value.fault(kind));
            }
            let mut words = Vec::new();
            for item in items {
                words.extend_from_slice(self.word(inner, &item, depth.saturating_add(1))?.as_slice());
            }
            return Ok(keccak256(words));
        }
        match self.types.find(kind) {
            // Somewhere a struct that holds itself ends: wallets take the zero word for the one that is not there.
            Some(place) if value.is_absent() && self.type_hash(place).1 => Ok(B256::ZERO),
            Some(place) => self.hash_struct(place, value, depth),
            None => atom(kind, value),
        }
    }
}

/// `Foo[2][]` is an array of `Foo[2]` without a fixed length.
fn array(kind: &str) -> Option<(&str, Option<usize>)> {
    let (inner, length) = kind.strip_suffix(']')?.rsplit_once('[')?;
    if length.is_empty() { Some((inner, None)) } else { positive(length).map(|length| (inner, Some(length))) }
}

/// The type inside all brackets that are well formed.
fn innermost(mut kind: &str) -> &str {
    while let Some((inner, _)) = array(kind) {
        kind = inner;
    }
    kind
}

/// Whether a name can stand in an encoded type without any two types being written alike.
fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.bytes().any(|b| b"(), []".contains(&b))
}

/// The type inside all of the brackets.
fn element(kind: &str) -> &str {
    kind.split_once('[').map_or(kind, |(element, _)| element)
}

/// The word of a value of one of the standard's own types.
///
/// # Errors
/// The value does not fit the type.
pub fn atom(kind: &str, value: &JsonAt<'_>) -> Result<B256> {
    let fault = || value.fault(kind);
    match kind {
        "string" => return Ok(keccak256(value.text()?)),
        "bytes" => return Ok(keccak256(value.bytes()?)),
        "bool" => return Ok(U256::from(value.bool()?).into()),
        "address" => {
            let text = value.text()?;
            return address::any_case(text).map(|address| address.into_word()).ok_or_else(fault);
        }
        _ => {}
    }
    if let Some(size) = width(kind, "bytes", 32) {
        let bytes = value.bytes()?;
        let mut word = B256::ZERO;
        let target = word.0.get_mut(..bytes.len()).filter(|_| bytes.len() == size).ok_or_else(fault)?;
        target.copy_from_slice(&bytes);
        return Ok(word);
    }
    let text = value.number_or_text().ok_or_else(fault)?;
    if let Some(bits) = bits(kind, "uint") {
        let number = unsigned(text).filter(|number| number.bit_len() <= bits).ok_or_else(fault)?;
        return Ok(number.into());
    }
    if let Some(bits) = bits(kind, "int") {
        return signed(text, bits).map(B256::from).ok_or_else(fault);
    }
    Err(Error::input(&value.path(), "a type that is defined", kind))
}

/// Whether a type is the standard's own.
fn is_atom(kind: &str) -> bool {
    matches!(kind, "string" | "bytes" | "bool" | "address")
        || width(kind, "bytes", 32).is_some()
        || bits(kind, "uint").is_some()
        || bits(kind, "int").is_some()
}

/// The number behind a type's name: `bytes4` is 4.
pub fn width(kind: &str, name: &str, max: usize) -> Option<usize> {
    positive(kind.strip_prefix(name)?).filter(|width| *width <= max)
}

/// The width of an integer type. The standard has no bare `uint` and `int`, and libraries hash them differently.
fn bits(kind: &str, name: &str) -> Option<usize> {
    width(kind, name, 256).filter(|bits| bits % 8 == 0)
}

/// A number above 0, without sign and zeros in front.
fn positive(digits: &str) -> Option<usize> {
    let canonical = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
    digits.parse().ok().filter(|_| canonical)
}

/// Decimal, or hex as some wallets and libraries write integers.
fn unsigned(text: &str) -> Option<U256> {
    match text.strip_prefix("0x") {
        Some(digits) => {
            let even = if digits.len() % 2 == 0 { digits.to_owned() } else { ["0", digits].concat() };
            let bytes = hex::decode(even).ok().filter(|bytes| !bytes.is_empty() && !digits.starts_with("0x"))?;
            U256::try_from_be_slice(&bytes)
        }
        None => amount::parse_uint(text).ok(),
    }
}

fn signed(text: &str, bits: usize) -> Option<U256> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let magnitude = unsigned(digits)?;
    let bound = U256::from(1).checked_shl(bits.checked_sub(1)?)?;
    if negative {
        (magnitude <= bound).then(|| I256::from_raw(magnitude).wrapping_neg().into_raw())
    } else {
        (magnitude < bound).then_some(magnitude)
    }
}
