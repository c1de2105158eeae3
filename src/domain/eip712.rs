//! EIP-712: the digest of any typed data, from its JSON.
//!
//! Orders are hashed twice: from what was read of them (`typed_struct`), and by this module from the very text the wallet
//! is given. The second also serves typed data of any other type.

use super::{address, amount};
use crate::error::{Error, Result};
use crate::json::{At, Json};
use alloy_primitives::{B256, I256, U256, hex, keccak256};

/// The separator, the struct's hash, and the digest that is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest {
    /// `hashStruct(domain)`.
    pub domain_separator: B256,
    /// `hashStruct(message)`.
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

/// The members a domain may have, in the order of the standard.
const DOMAIN_MEMBERS: [(&str, &str); 5] = [
    ("name", "string"),
    ("version", "string"),
    ("chainId", "uint256"),
    ("verifyingContract", "address"),
    ("salt", "bytes32"),
];

/// The most types, and members of a type: they are compared with one another.
const MAX_TYPES: usize = 128;

/// Deepest nesting of structs and arrays.
const MAX_DEPTH: usize = 64;

/// The digest of `{ types, primaryType?, domain, message | value }`. Without `primaryType`, the one type that no other
/// refers to is the root. Without `types.EIP712Domain`, the domain's type is made of the members that it has.
///
/// # Errors
/// Names the first member that does not fit its type.
pub fn digest(typed_data: &Json) -> Result<Digest> {
    let root = At::input(typed_data, "");
    let types = Types::read(&root.get("types"))?;
    types.check(&root.get("types"))?;
    let primary = match root.get("primaryType").some() {
        Some(name) => name.text()?,
        None => types.root().ok_or_else(|| root.get("primaryType").fault("the name of the root type"))?,
    };
    let message = root.get("message").some().unwrap_or_else(|| root.get("value"));
    let domain = root.get("domain");
    let domain_separator = match types.fields("EIP712Domain") {
        Some(_) => types.hash_struct("EIP712Domain", &domain, 0)?,
        None => {
            let present = DOMAIN_MEMBERS.iter().filter(|(name, _)| !domain.get(name).is_absent());
            Types(vec![("EIP712Domain", present.copied().collect())]).hash_struct("EIP712Domain", &domain, 0)?
        }
    };
    let struct_hash = types.hash_struct(primary, &message, 0)?;
    Ok(Digest::join(domain_separator, struct_hash))
}

type Fields<'a> = Vec<(&'a str, &'a str)>;

/// The struct types of typed data, by name.
#[derive(Clone, Debug)]
pub struct Types<'a>(Vec<(&'a str, Fields<'a>)>);

impl<'a> Types<'a> {
    /// Reads `{ Name: [{ name, type }] }`.
    ///
    /// # Errors
    /// Names the entry that is not like that.
    pub fn read(types: &At<'a>) -> Result<Types<'a>> {
        let mut found = Vec::new();
        if types.is_absent() {
            return Err(types.fault("the struct types by name"));
        }
        for (count, name) in types.names().enumerate() {
            if count >= MAX_TYPES {
                return Err(types.fault("at most 128 types"));
            }
            let mut fields: Fields<'a> = Vec::new();
            for field in types.get(name).items()? {
                let member = field.get("name").text()?;
                if fields.len() >= MAX_TYPES {
                    return Err(types.get(name).fault("at most 128 members"));
                }
                if fields.iter().any(|(earlier, _)| *earlier == member) {
                    return Err(field.get("name").fault("a name that occurs once"));
                }
                fields.push((member, field.get("type").text()?));
            }
            found.push((name, fields));
        }
        Ok(Types(found))
    }

    /// Every name must leave the encoded type readable in one way only, and every member's type be defined.
    fn check(&self, types: &At<'_>) -> Result<()> {
        for (name, fields) in &self.0 {
            if !is_name(name) || is_atom(name) {
                return Err(types.get(name).fault("a name that no other type has"));
            }
            for (member, kind) in fields {
                let inner = innermost(kind);
                if !is_name(member) || !(is_atom(inner) || self.fields(inner).is_some()) {
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

    /// The fields of a type, as (name, type).
    pub fn fields(&self, name: &str) -> Option<&[(&'a str, &'a str)]> {
        self.0.iter().find(|(n, _)| *n == name).map(|(_, fields)| fields.as_slice())
    }

    /// The one type that no other refers to, `EIP712Domain` left aside.
    pub fn root(&self) -> Option<&'a str> {
        let mut roots = self.names().filter(|name| *name != "EIP712Domain" && !self.is_referenced(name));
        match (roots.next(), roots.next()) {
            (Some(root), None) => Some(root),
            _ => None,
        }
    }

    fn is_referenced(&self, name: &str) -> bool {
        self.0.iter().any(|(holder, fields)| *holder != name && fields.iter().any(|(_, kind)| element(kind) == name))
    }

    /// `encodeType`: the type, then those it refers to, sorted by name. `None` for an unknown one.
    pub fn encode_type(&self, name: &str) -> Option<String> {
        let mut referenced: Vec<&str> = Vec::new();
        self.collect(name, &mut referenced);
        referenced.retain(|other| *other != name);
        // A handful of names: the library's sort would be two kilobytes.
        let mut sorted = Vec::with_capacity(referenced.len());
        while let Some(least) = referenced.iter().copied().min() {
            referenced.retain(|other| *other != least);
            sorted.push(least);
        }
        let mut out = String::new();
        for name in core::iter::once(name).chain(sorted) {
            out.push_str(name);
            out.push('(');
            for (index, (member, kind)) in self.fields(name)?.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                out.push_str(kind);
                out.push(' ');
                out.push_str(member);
            }
            out.push(')');
        }
        Some(out)
    }

    fn collect(&self, name: &str, found: &mut Vec<&'a str>) {
        let Some((name, fields)) = self.0.iter().find(|(n, _)| *n == name) else { return };
        if found.contains(name) {
            return;
        }
        found.push(name);
        for (_, kind) in fields {
            self.collect(element(kind), found);
        }
    }

    /// `hashStruct`.
    ///
    /// # Errors
    /// Names the member that is missing or does not fit.
    pub fn hash_struct(&self, name: &str, value: &At<'_>, depth: usize) -> Result<B256> {
        let unknown = || Error::input(&value.path(), "a type that is defined", name);
        let encoded_type = self.encode_type(name).ok_or_else(unknown)?;
        let fields = self.fields(name).ok_or_else(unknown)?;
        if !matches!(value.json(), Some(Json::Object(_))) {
            return Err(value.fault("an object"));
        }
        let mut words = Vec::with_capacity(fields.len().saturating_add(1).saturating_mul(32));
        words.extend_from_slice(keccak256(encoded_type).as_slice());
        for (member, kind) in fields {
            words.extend_from_slice(self.word(kind, &value.get(member), depth.saturating_add(1))?.as_slice());
        }
        Ok(keccak256(words))
    }

    /// `encodeData` of one member: always one word.
    fn word(&self, kind: &str, value: &At<'_>, depth: usize) -> Result<B256> {
        if depth > MAX_DEPTH {
            return Err(value.fault("less nesting"));
        }
        if let Some((inner, length)) = array(kind) {
            let items = value.items()?;
            if length.is_some_and(|length| length != items.len()) {
                return Err(value.fault(kind));
            }
            let mut words = Vec::with_capacity(items.len().saturating_mul(32));
            for item in items {
                words.extend_from_slice(self.word(inner, &item, depth.saturating_add(1))?.as_slice());
            }
            return Ok(keccak256(words));
        }
        if self.fields(kind).is_some() {
            return self.hash_struct(kind, value, depth);
        }
        atom(kind, value)
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
pub fn atom(kind: &str, value: &At<'_>) -> Result<B256> {
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
