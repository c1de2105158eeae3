//! The fields of a payload by their paths, whether it is typed data or calldata.

use alloy_primitives::{Address, B256, U256};
use std::borrow::Cow;
use verify::internal::domain::market::calldata::Arguments;
use verify::internal::domain::member::Argument;
use verify::internal::json::{Json, JsonAt};
use verify::internal::value::amount::parse_uint;
use verify::internal::value::text::ToText;

/// A call, or the code to run.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// The contract; `None` creates one.
    pub to: Option<Address>,
    /// The native token sent along, in wei.
    pub value: U256,
    /// The calldata, selector first.
    pub data: &'a [u8],
    /// Whether the contract's code runs with the rights of the caller.
    pub is_delegate: bool,
}

/// The form of the payload that has the fields.
#[derive(Clone, Copy)]
enum Form<'a> {
    /// A message that was hashed, so that its values fit their types.
    Typed(&'a Json),
    Call(&'a Arguments<'a>),
}

/// The fields of one struct of a payload.
#[derive(Clone)]
pub struct PayloadFields<'a> {
    form: Form<'a>,
    /// The member of the payload that has the fields: it stands before each path in answers.
    pub root: &'static str,
    /// The path of the struct, with a dot at its end, or empty.
    inside: String,
    /// The contract that is called, or whose domain is signed.
    pub contract: Address,
    /// The native token sent along, in wei.
    pub value: U256,
    /// The name of the called method; empty for typed data.
    pub method: &'static str,
    /// Whether its code runs with the rights of the caller.
    pub is_delegate: bool,
}

impl<'a> PayloadFields<'a> {
    /// The message of typed data for a contract.
    pub fn typed(message: &'a Json, contract: Address) -> PayloadFields<'a> {
        PayloadFields {
            form: Form::Typed(message),
            root: "message.",
            inside: String::new(),
            contract,
            value: U256::ZERO,
            method: "",
            is_delegate: false,
        }
    }

    /// The arguments of a call.
    pub fn call(arguments: &'a Arguments<'a>, contract: Address, value: U256) -> PayloadFields<'a> {
        PayloadFields {
            form: Form::Call(arguments),
            root: "data.",
            inside: String::new(),
            contract,
            value,
            method: "",
            is_delegate: false,
        }
    }

    /// The same, with the name of the called method, and whether its code runs with the rights of the caller.
    pub fn of_method(self, method: &'static str, is_delegate: bool) -> PayloadFields<'a> {
        PayloadFields { method, is_delegate, ..self }
    }

    /// Whether it is signed, not sent.
    pub fn is_signed(&self) -> bool {
        matches!(self.form, Form::Typed(_))
    }

    /// The struct at a path in this one.
    pub fn sub(&self, path: &str) -> PayloadFields<'a> {
        PayloadFields { inside: [&*self.inside, path, "."].concat(), ..self.clone() }
    }

    /// Whether it is an item of an array.
    pub fn is_item(&self) -> bool {
        self.inside.trim_end_matches('.').ends_with(|last: char| last.is_ascii_digit())
    }

    /// The path of a value in answers.
    pub fn field(&self, path: &str) -> String {
        [self.root, &*self.inside, path].concat()
    }

    fn json(&self, path: &str) -> Option<&'a Json> {
        let Form::Typed(mut found) = self.form else { return None };
        let whole = [&*self.inside, path].concat();
        for step in whole.split('.') {
            found = match found {
                Json::Array(items) => items.get(step.parse::<usize>().ok()?)?,
                _ => found.get(step)?,
            };
        }
        Some(found)
    }

    fn argument(&self, path: &str) -> Option<Argument<'a>> {
        let Form::Call(arguments) = self.form else { return None };
        arguments.get(&[&*self.inside, path].concat())
    }

    /// Whether there is a value at this path.
    pub fn has(&self, path: &str) -> bool {
        self.json(path).is_some() || self.argument(path).is_some()
    }

    /// A number, a flag, or `bytesN`, as a word; zero if there is none. Below zero it is the two's complement.
    pub fn word(&self, path: &str) -> U256 {
        if let Some(Argument::Word(word)) = self.argument(path) {
            return word.into();
        }
        let Some(json) = self.json(path) else { return U256::ZERO };
        let below = || JsonAt::input(json, "").number_or_text()?.strip_prefix('-').and_then(word_of_text);
        word_of(json).or_else(|| below().map(U256::wrapping_neg)).unwrap_or_default()
    }

    /// A word of bytes: `bytes32`.
    pub fn hash(&self, path: &str) -> B256 {
        self.word(path).into()
    }

    /// The address at a path; zero if there is none.
    pub fn address(&self, path: &str) -> Address {
        match self.json(path) {
            Some(json) => JsonAt::input(json, "").address().unwrap_or_default(),
            None => Address::from_word(self.word(path).into()),
        }
    }

    /// The content of a `bytes`.
    pub fn bytes(&self, path: &str) -> Cow<'a, [u8]> {
        if let Some(Argument::Bytes(bytes)) = self.argument(path) {
            return Cow::Borrowed(bytes);
        }
        let bytes = self.json(path).and_then(|json| JsonAt::input(json, "").bytes().ok());
        Cow::Owned(bytes.unwrap_or_default())
    }

    /// A text of typed data.
    pub fn text(&self, path: &str) -> &'a str {
        self.json(path).and_then(Json::as_text).unwrap_or_default()
    }

    /// The number of items of an array.
    pub fn count(&self, path: &str) -> usize {
        match self.json(path) {
            Some(Json::Array(items)) => items.len(),
            _ => usize::try_from(self.word(&[path, ".length"].concat())).unwrap_or_default(),
        }
    }

    /// The path of an item of an array.
    pub fn item(path: &str, index: usize) -> String {
        [path, ".", &index.text()].concat()
    }
}

/// A value as a word: a number in decimal or in hex, a flag, `bytesN`.
pub fn word_of(json: &Json) -> Option<U256> {
    match json {
        Json::Bool(is) => Some(U256::from(*is)),
        Json::Number(text) => parse_uint(text).ok(),
        _ => word_of_text(json.as_text()?),
    }
}

/// A number in decimal or in hex.
pub fn word_of_text(text: &str) -> Option<U256> {
    let Some(digits) = text.strip_prefix("0x") else { return parse_uint(text).ok() };
    let even = if digits.len() % 2 == 0 { digits.into() } else { ["0", digits].concat() };
    U256::try_from_be_slice(&alloy_primitives::hex::decode(even).ok()?)
}
