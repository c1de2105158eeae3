//! EIP-712 (<https://eips.ethereum.org/EIPS/eip-712>): the digest of any typed data, from its JSON.
//!
//! Signed data is hashed twice: from the verified struct ([`super::typed_struct`]), and by this module from the text
//! for the wallet. Only if both agree does a prompt open, so a mistake in writing the text cannot have something else
//! signed. The module also serves `hashTypedData` and `recoverTypedDataSigner` for any type.
//!
//! Values are read strictly, and if libraries disagree (bare `uint`, types of one name, integers that do not fit) the
//! data is refused instead of hashed in one of the ways. Sizes are bounded, because the data may be hostile.

use crate::error::{Error, Result};
use crate::json::{self, Json, JsonAt, MAX_TAKEN, ObjectWriter, push_step, sorted};
use crate::value::text::ToText;
use crate::value::visible::visible;
use crate::value::{address, amount};
use alloy_primitives::{Address, B256, I256, U256, hex, keccak256};

/// The hashes of typed data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest {
    /// `hashStruct(domain)`: binds the signature to a contract and, usually, to a chain.
    pub domain_separator: B256,
    /// `hashStruct(message)`; zero if only the domain is signed.
    pub struct_hash: B256,
    /// `keccak256(0x1901 ‖ domain separator ‖ struct hash)`: the key signs it.
    pub digest: B256,
}

impl Digest {
    /// The digest of a struct in a domain, from their hashes.
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

/// The name of the domain's type.
pub const DOMAIN: &str = "EIP712Domain";

/// The members that a domain may have, in the order of the standard.
pub const DOMAIN_MEMBERS: [(&str, &str); 5] = [
    ("name", "string"),
    ("version", "string"),
    ("chainId", "uint256"),
    ("verifyingContract", "address"),
    ("salt", "bytes32"),
];

/// The highest number of types, and of members of one type.
const MAX_TYPES: usize = 128;

/// The highest number of characters of all types together: `encodeType` repeats a type for every other that refers to
/// it.
const MAX_TYPES_TEXT: usize = 16_384;

/// The deepest nesting of structs and arrays that is followed.
const MAX_DEPTH: usize = 64;

/// The digest of `{ types, primaryType?, domain, message | value }`. Without `primaryType`, the one type that no other
/// refers to is the root. Without `types.EIP712Domain`, the domain's type is made of the members that it has. With the
/// domain as `primaryType` there is no message: the digest is that of its separator alone.
///
/// # Errors
/// INVALID_INPUT with the first member that does not fit its type, or the type that is ambiguous, undefined or too
/// large.
///
/// ```
/// use verified_swap_verify::internal::{domain::eip712::digest, json::parse};
/// let permit = |nonce| format!(
///     r#"{{"types":{{"Permit":[{{"name":"nonce","type":"uint8"}}]}},"domain":{{}},"message":{{"nonce":{nonce}}}}}"#
/// );
/// assert!(digest(&parse(&permit(255)).unwrap()).is_ok());
/// let error = digest(&parse(&permit(256)).unwrap()).unwrap_err();
/// assert_eq!(error.expected.as_deref(), Some("uint8"));
/// ```
pub fn digest(typed_data: &Json) -> Result<Digest> {
    walk(typed_data, &mut None).map(|(digest, _)| digest)
}

/// [`digest`] with a hardware wallet's view of the typed data, as JSON text: both hashes, and each hashed value, in the
/// order in which wallets walk them. The view is read in the same walk that hashes it.
///
/// ```
/// use verified_swap_verify::internal::{domain::eip712::hardware_view, json::parse};
/// let typed = r#"{"types":{"Bid":[{"name":"to","type":"bytes"}]},"domain":{},"message":{"to":"0xAB"}}"#;
/// let (_, shown) = hardware_view(&parse(typed).unwrap()).unwrap();
/// assert!(shown.ends_with(r#""primaryType":"Bid","fields":[{"path":"to","type":"bytes","value":"0xab"}]}"#));
/// ```
///
/// # Errors
/// The errors of [`digest`].
pub fn hardware_view(typed_data: &Json) -> Result<(Digest, String)> {
    let mut shown = Some(Vec::new());
    let (digest, primary) = walk(typed_data, &mut shown)?;
    let mut out = ObjectWriter::object();
    out.value("domainHash", &digest.domain_separator);
    out.value("messageHash", &digest.struct_hash);
    out.value("digest", &digest.digest);
    out.text("primaryType", primary);
    out.raw("fields", &json::array(&shown.unwrap_or_default()));
    Ok((digest, out.close()))
}

/// Hashes typed data, and adds each value to `shown`, if it is some. Returns the name of the root type as well.
fn walk<'a>(typed_data: &'a Json, shown: &mut Option<Vec<String>>) -> Result<(Digest, &'a str)> {
    let root = JsonAt::input(typed_data, "");
    let types = Types::read(&root.get("types"))?;
    types.check(&root.get("types"))?;
    let primary = match root.get("primaryType").some() {
        Some(name) => name.text()?,
        None => types.root().ok_or_else(|| root.get("primaryType").fault("the name of the root type"))?,
    };
    let (message, name) = match root.get("message").some() {
        Some(message) => (message, ""),
        None => (root.get("value"), "value"),
    };
    let domain = root.get("domain");
    let domain_separator = match types.find(DOMAIN) {
        Some(place) => Hashing::of(&types, shown, "domain").hash_struct(place, &domain, 0)?,
        None => {
            let present = DOMAIN_MEMBERS.iter().filter(|(name, _)| !domain.get(name).is_absent());
            let types = Types(vec![(DOMAIN, present.copied().collect())]);
            Hashing::of(&types, shown, "domain").hash_struct(0, &domain, 0)?
        }
    };
    if primary == DOMAIN {
        let digest = keccak256([&[0x19, 0x01], domain_separator.as_slice()].concat());
        return Ok((Digest { domain_separator, struct_hash: B256::ZERO, digest }, primary));
    }
    let place = types.find(primary).ok_or_else(|| Error::input("primaryType", "a type that is defined", primary))?;
    let struct_hash = Hashing::of(&types, shown, name).hash_struct(place, &message, 0)?;
    Ok((Digest::join(domain_separator, struct_hash), primary))
}

type Fields<'a> = Vec<(&'a str, &'a str)>;

/// The struct types of typed data, each with its members, sorted by name.
#[derive(Clone, Debug)]
pub struct Types<'a>(Vec<(&'a str, Fields<'a>)>);

impl<'a> Types<'a> {
    /// Reads `{ Name: [{ name, type }] }`. Does not check the references between the types.
    ///
    /// # Errors
    /// A fault at the entry that is malformed, has a member twice, or is too large.
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

    /// Refuses names that make an encoded type readable in two ways, and members of a type that is not defined.
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

    /// The names of all types, sorted.
    pub fn names(&self) -> impl Iterator<Item = &'a str> {
        self.0.iter().map(|(name, _)| *name)
    }

    /// The members of a type as (name, type); `None` for a type that is not defined.
    pub fn fields(&self, name: &str) -> Option<&[(&'a str, &'a str)]> {
        self.0.get(self.find(name)?).map(|(_, fields)| fields.as_slice())
    }

    /// The index of the type of that name, or the one at which it would be inserted.
    fn place(&self, name: &str) -> core::result::Result<usize, usize> {
        self.0.binary_search_by(|(known, _)| (*known).cmp(name))
    }

    /// The index of the type of that name.
    fn find(&self, name: &str) -> Option<usize> {
        self.place(name).ok()
    }

    /// The struct types that the members of a type have directly, by index.
    fn inside(&self, place: usize) -> impl Iterator<Item = usize> {
        let fields = self.0.get(place).map_or(&[][..], |(_, fields)| fields);
        fields.iter().filter_map(|(_, kind)| self.find(element(kind)))
    }

    /// The one type that no other refers to, apart from `EIP712Domain`; `None` if there is none, or several.
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

    /// `encodeType`: the type, then those that it refers to, sorted by name. `None` for a type that is not defined.
    pub fn encode_type(&self, name: &str) -> Option<String> {
        let place = self.find(name)?;
        Some(self.encoded(place, &self.reached(place)))
    }

    /// `encodeType` of the type of that index, from which the `reached` types are referred to.
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

    /// The types that a type refers to, directly or through others; itself only if it contains itself.
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

/// Sets a mark. Returns whether it was unset before.
fn mark(marks: &mut [bool], place: usize) -> bool {
    marks.get_mut(place).is_some_and(|mark| !core::mem::replace(mark, true))
}

/// The hashing of one value, with the type hashes computed so far.
struct Hashing<'t, 'a> {
    types: &'t Types<'a>,
    /// The wallet's view of each value, as JSON text, if it is requested.
    shown: &'t mut Option<Vec<String>>,
    /// The path of the value that is being hashed, as the view has it. A [`JsonAt`] has to search for a deep one.
    path: String,
    /// By type: the hash of its encoded type and whether it contains itself, once they were needed.
    type_hashes: Vec<Option<(B256, bool)>>,
    /// The number of hashed values; a type that contains itself can make few characters into many.
    values: usize,
}

impl<'t, 'a> Hashing<'t, 'a> {
    /// Starts with nothing computed, at `path`.
    fn of(types: &'t Types<'a>, shown: &'t mut Option<Vec<String>>, path: &str) -> Self {
        Hashing { types, shown, path: path.into(), type_hashes: vec![None; types.0.len()], values: 0 }
    }

    /// The hash of a type's encoding (`typeHash`), and whether it contains itself; computed once for each type.
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

    /// `hashStruct` of a value, for the type of that index.
    ///
    /// # Errors
    /// A fault at the member that is missing or does not fit.
    fn hash_struct(&mut self, place: usize, value: &JsonAt<'a>, depth: usize) -> Result<B256> {
        if !matches!(value.json(), Some(Json::Object(_))) {
            return Err(value.fault("an object"));
        }
        let types = self.types;
        let fields = types.0.get(place).map_or(&[][..], |(_, fields)| fields);
        let mut words = Vec::with_capacity(fields.len().saturating_add(1).saturating_mul(32));
        words.extend_from_slice(self.type_hash(place).0.as_slice());
        for (member, kind) in fields {
            words.extend_from_slice(self.step(member, kind, &value.get(member), depth)?.as_slice());
        }
        Ok(keccak256(words))
    }

    /// [`Hashing::word`] of the member or item of that name.
    fn step(&mut self, name: &str, kind: &str, value: &JsonAt<'a>, depth: usize) -> Result<B256> {
        let length = self.path.len();
        push_step(&mut self.path, name);
        let word = self.word(kind, value, depth.saturating_add(1));
        self.path.truncate(length);
        word
    }

    /// `encodeData` of one member, always one word: the value itself, or the hash of a longer one.
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
            for (index, item) in items.enumerate() {
                words.extend_from_slice(self.step(&index.text(), inner, &item, depth)?.as_slice());
            }
            return Ok(keccak256(words));
        }
        match self.types.find(kind) {
            // A struct that contains itself has to end: wallets use the zero word for the absent one.
            Some(place) if value.is_absent() && self.type_hash(place).1 => Ok(B256::ZERO),
            Some(place) => self.hash_struct(place, value, depth),
            None => {
                let word = atom(kind, value)?;
                if let Some(shown) = &mut *self.shown {
                    let mut out = ObjectWriter::object();
                    out.text("path", &self.path);
                    out.text("type", kind);
                    out.text("value", &atom_text(kind, value, &word));
                    shown.push(out.close());
                }
                Ok(word)
            }
        }
    }
}

/// A value as devices print it; `word` is its [`atom`].
fn atom_text(kind: &str, value: &JsonAt<'_>, word: &B256) -> String {
    match kind {
        "string" => visible(value.text().unwrap_or_default()),
        "bytes" => hex::encode_prefixed(value.bytes().unwrap_or_default()),
        _ => word_text(word, kind),
    }
}

/// A word as the text of a value of type `kind`: integers in decimal, addresses with their checksum, `true`, or `0x`
/// and hex.
pub fn word_text(word: &B256, kind: &str) -> String {
    let number = U256::from_be_bytes(word.0);
    match width(kind, "bytes", 32) {
        Some(size) => hex::encode_prefixed(word.get(..size).unwrap_or_default()),
        None if kind == "address" => Address::from_word(*word).text(),
        None if kind == "bool" => if number.is_zero() { "false" } else { "true" }.into(),
        None if kind.starts_with("int") && number.bit(255) => ["-", &number.wrapping_neg().text()].concat(),
        None => number.text(),
    }
}

/// The item type and the fixed length of an array type: `Foo[2][]` is an array of `Foo[2]`, of any length.
fn array(kind: &str) -> Option<(&str, Option<usize>)> {
    let (inner, length) = kind.strip_suffix(']')?.rsplit_once('[')?;
    if length.is_empty() { Some((inner, None)) } else { positive(length).map(|length| (inner, Some(length))) }
}

/// The type inside all well-formed brackets, which must be defined.
fn innermost(mut kind: &str) -> &str {
    while let Some((inner, _)) = array(kind) {
        kind = inner;
    }
    kind
}

/// Whether a name is free of the characters that separate names in an encoded type.
fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.bytes().any(|b| b"(), []".contains(&b))
}

/// The type before the first bracket, which a member refers to.
fn element(kind: &str) -> &str {
    kind.split_once('[').map_or(kind, |(element, _)| element)
}

/// The word of a value of one of the standard's atomic and dynamic types: `bool`, `address`, `uintN`, `intN`, `bytesN`,
/// `bytes`, `string`. Integers may be numbers, or decimal or `0x` hex text.
///
/// # Errors
/// A fault if the value does not fit the type, or the type is none of these.
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

/// Whether [`atom`] handles the type.
fn is_atom(kind: &str) -> bool {
    matches!(kind, "string" | "bytes" | "bool" | "address")
        || width(kind, "bytes", 32).is_some()
        || bits(kind, "uint").is_some()
        || bits(kind, "int").is_some()
}

/// The number after a type's name, 1 to `max`: for `bytes4` with the name `bytes` it is 4. `None` for another type.
pub fn width(kind: &str, name: &str, max: usize) -> Option<usize> {
    positive(kind.strip_prefix(name)?).filter(|width| *width <= max)
}

/// The width in bits of an integer type. Bare `uint` and `int` are refused: the standard does not have them, and
/// libraries hash them differently.
fn bits(kind: &str, name: &str) -> Option<usize> {
    width(kind, name, 256).filter(|bits| bits % 8 == 0)
}

/// Reads a decimal number above 0, without sign or leading zeros.
fn positive(digits: &str) -> Option<usize> {
    let canonical = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
    digits.parse().ok().filter(|_| canonical)
}

/// Reads an integer in decimal, or in `0x` hex as some wallets and libraries write it.
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

/// Reads an integer of that many bits as two's complement, extended to 256 bits; `None` if it does not fit.
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
