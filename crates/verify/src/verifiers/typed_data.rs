//! Typed data in any library's form, and its comparison with the struct that was asked for.
//!
//! Both are hashed in the wallet's way, and the walks are compared value by value. So no member of the payload is left
//! out, whatever its type, and the first that differs is named.

use crate::domain::eip712::{DOMAIN, DOMAIN_MEMBERS, Types, hardware_view};
use crate::domain::typed_struct::{TypedStruct, TypedText, field, name};
use crate::domain::verify::Checks;
use crate::error::{Error, ErrorCode, Result, UNREADABLE};
use crate::json::{Json, JsonAt, MAX_DEPTH, MAX_HASHED, ObjectWriter, array, ascii, parse};

/// The names by which libraries call the signed struct: the service, the operator's SDK, and wallets (EIP-712).
pub const MESSAGE: [&str; 3] = ["value", "data", "message"];

/// Typed data with its struct under `value`, whatever the library calls it.
///
/// # Errors
/// INVALID_INPUT with `path` for anything else; it names what to pass.
pub fn normalize(typed_data: Json, path: &str) -> Result<Json> {
    let at = JsonAt::input(&typed_data, path);
    let found = MESSAGE.iter().filter(|name| !at.get(name).is_absent()).count();
    if at.get("domain").is_absent() || at.get("types").is_absent() || found != 1 {
        let inner = ["toSign", "typedData"].iter().find(|name| !at.get(name).is_absent());
        return Err(match inner {
            Some(inner) => at.fault(&["its `", inner, "`: { domain, types, value }"].concat()),
            None => at.fault("{ domain, types, value } (or data, or message, in place of value)"),
        });
    }
    let Json::Object(members) = typed_data else { return Err(Error::unreachable()) };
    let rename = |(name, value): (String, Json)| {
        let name = if MESSAGE.contains(&name.as_str()) { "value".into() } else { name };
        (name, value)
    };
    Ok(Json::Object(members.into_iter().map(rename).collect()))
}

/// The path of a member that its type does not have; `None` if there is none. The value fits its type: it was hashed.
fn unsigned_member(types: &Types<'_>, kind: &str, at: &JsonAt<'_>, depth: usize) -> Option<String> {
    let below = depth.saturating_add(1);
    if depth > MAX_DEPTH {
        return Some(at.path());
    }
    if let (Some((item, _)), Ok(mut items)) =
        (kind.strip_suffix(']').and_then(|kind| kind.rsplit_once('[')), at.items())
    {
        return items.find_map(|one| unsigned_member(types, item, &one, below));
    }
    let fields = types.fields(kind);
    if fields.is_none() && kind != DOMAIN {
        return None;
    }
    at.names().find_map(|name| match fields {
        Some(fields) => match fields.iter().find(|(known, _)| *known == name) {
            Some((_, kind)) => unsigned_member(types, kind, &at.get(name), below),
            None => Some(at.get(name).path()),
        },
        None if DOMAIN_MEMBERS.iter().any(|(known, _)| *known == name) => None,
        None => Some(at.get(name).path()),
    })
}

/// A value of typed data, as a wallet walks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its path: `domain.name`, or below the struct.
    pub path: String,
    /// Its text: integers in decimal, addresses with their checksum.
    pub value: String,
}

/// Typed data in a wallet's view.
pub struct View {
    /// `encodeType` of the root; empty if there is no single one.
    pub encoded: String,
    /// Each value, the domain's first.
    pub fields: Vec<Field>,
    /// The EIP-712 digest, `0x` and hex.
    pub digest: String,
    /// `hashStruct(domain)`, `0x` and hex.
    pub domain_hash: String,
    /// The typed data for a wallet (`eth_signTypedData_v4`), as JSON text, whatever the library left out.
    pub text: String,
}

/// Typed data as a wallet takes it, as JSON text of ASCII: with the domain's type and the root's name.
fn text_to_sign(root: &JsonAt<'_>, types: &Types<'_>, primary: &str) -> String {
    let (mut out, mut all) = (ObjectWriter::object(), ObjectWriter::object());
    if types.fields(DOMAIN).is_none() {
        let has = |name: &'static str| !root.get("domain").get(name).is_absent();
        let present = DOMAIN_MEMBERS.into_iter().filter(|(name, _)| has(name));
        all.raw(DOMAIN, &array(&present.map(field).collect::<Vec<_>>()));
    }
    let written = |at: JsonAt<'_>| at.json().map_or_else(|| "{}".into(), Json::write);
    for name in types.names() {
        all.raw(name, &written(root.get("types").get(name)));
    }
    out.raw("types", &all.close());
    out.text("primaryType", primary);
    out.raw("domain", &written(root.get("domain")));
    out.raw("message", &written(root.get("value")));
    ascii(&out.close())
}

impl View {
    /// Views the payload that the service built.
    ///
    /// # Errors
    /// SERVICE_MALFORMED with the member that does not fit its type.
    pub fn of(to_sign: &Json) -> Result<View> {
        let blamed = |mut error: Error| {
            error.code = ErrorCode::ServiceMalformed;
            error.field = error.field.take().map(|field| ["toSign.", &field].concat());
            // It begins with the field.
            error.message = [UNREADABLE, "toSign.", &error.message].concat();
            error
        };
        let root = JsonAt::service(to_sign, "toSign");
        if to_sign.count() > MAX_HASHED {
            return Err(root.fault("at most 8192 values in all"));
        }
        let (_, text) = hardware_view(to_sign).map_err(blamed)?;
        let types = Types::read(&root.get("types"))?;
        let primary = to_sign.get("primaryType").and_then(Json::as_text).or_else(|| types.root()).unwrap_or_default();
        let encoded = types.encode_type(primary).unwrap_or_default();
        // A library that finds the root by itself could sign a type beside it.
        let is_inside =
            |wanted: &str| wanted == DOMAIN || encoded.split_inclusive(')').any(|part| name(part) == wanted);
        if let Some(other) = types.names().find(|name| !is_inside(name)) {
            return Err(root.get("types").get(other).fault("no type beside those that are signed"));
        }
        // Libraries write the domain's type by themselves, in the order of EIP-712.
        let mut known = DOMAIN_MEMBERS.iter();
        let mut fields = types.fields(DOMAIN).into_iter().flatten();
        if !fields.all(|(name, kind)| known.any(|(known, of)| known == name && of == kind)) {
            return Err(root
                .get("types")
                .get(DOMAIN)
                .fault("the members of EIP-712, in their order and of their types"));
        }
        for (kind, member) in [(DOMAIN, "domain"), (primary, "value")] {
            if let Some(path) = unsigned_member(&types, kind, &root.get(member), 0) {
                let expected = "no member beside those that are signed";
                return Err(Error::at(ErrorCode::ServiceMalformed, UNREADABLE, &path, expected, "another"));
            }
        }
        View::read(&text, encoded, text_to_sign(&root, &types, primary))
    }

    /// Views the expected typed data.
    ///
    /// # Errors
    /// INTERNAL if it was not written as it hashes.
    fn expected(domain: &TypedStruct, message: &TypedStruct) -> Result<(View, TypedText)> {
        let typed = message.to_sign(domain)?;
        Ok((View::read(&typed.hardware, message.encoded().into(), String::new())?, typed))
    }

    /// Reads the view of [`hardware_view`] of that text.
    fn read(view: &str, encoded: String, text: String) -> Result<View> {
        let view = parse(view).map_err(Error::not_json)?;
        let at = JsonAt::input(&view, "");
        let mut fields = Vec::new();
        for field in at.get("fields").items()? {
            let path = field.get("path").text()?;
            let path = path.strip_prefix("value.").unwrap_or(path).into();
            fields.push(Field { path, value: field.get("value").text()?.into() });
        }
        let hash = |name| at.get(name).text().map(String::from);
        Ok(View { encoded, fields, digest: hash("digest")?, domain_hash: hash("domainHash")?, text })
    }

    /// The value at a path.
    pub fn value(&self, path: &str) -> Option<&str> {
        self.fields.iter().find(|field| field.path == path).map(|field| field.value.as_str())
    }
}

/// Notes whether the payload is `message` in `domain`, member by member, and of no other type. `name` stands before the
/// struct's members in the report: `order`. Returns the expected typed data, which has the payload's digest if all checks
/// hold.
///
/// # Errors
/// SERVICE_MALFORMED as [`View::of`].
pub fn check_typed_data(
    checks: &mut Checks,
    name: &str,
    (domain, message): (&TypedStruct, &TypedStruct),
    payload: &View,
) -> Result<TypedText> {
    let (expected, typed) = View::expected(domain, message)?;
    checks.same("types", &expected.encoded, &payload.encoded);
    let label = |path: &str| if path.starts_with("domain.") { path.into() } else { [name, ".", path].concat() };
    for field in &expected.fields {
        let actual = payload.value(&field.path).unwrap_or("nothing");
        checks.same(&label(&field.path), &field.value, &actual);
    }
    for field in payload.fields.iter().filter(|field| expected.value(&field.path).is_none()) {
        checks.same(&label(&field.path), &"nothing", &field.value);
    }
    checks.same("digest", &expected.digest, &payload.digest);
    Ok(typed)
}
