//! An answer while it is made, and its JSON.

use super::words::{Kind, Severity, Warning};
use alloy_primitives::{Address, B256, U256};
use verify::internal::domain::asset;
use verify::internal::domain::intent::Token;
use verify::internal::domain::sentence::part::{Part, Raw, Sink, fill};
use verify::internal::json::{ObjectWriter, array, quoted};
use verify::internal::value::text::{ToText, joined};
use verify::internal::value::visible::visible;

/// Where findings are explained.
const LINK: &str = "https://github.com/verified-swap/verified-swap/blob/main/docs/explain.md#";

/// The most findings, opaque paths, of one answer; dangers beyond it replace lesser ones.
const MOST: usize = 100;

/// The first second of the year 10000: what ends then or later never does.
pub const NEVER: u64 = 253_402_300_800;

/// A value of a part. Boxed, because a place of its own for each would be a tenth of the code.
#[derive(Clone, Debug)]
pub struct Kept(Box<Inner>);

#[derive(Clone, Debug)]
struct Inner {
    /// The value for people.
    display: String,
    /// All of it, as JSON text.
    json: String,
}

impl Kept {
    /// A value of a type: for programs, free of hidden characters, and for people.
    pub fn new(kind: &'static str, value: String, display: String, stated_by: &'static str) -> Kept {
        Kept::of(kind, &value, display, stated_by, None)
    }

    /// A number that is no amount.
    pub fn number(number: &dyn ToText) -> Kept {
        Kept::new("number", number.text(), number.text(), "")
    }

    /// So many of an item, as ERC-721 and ERC-1155 have them.
    pub fn item(id: U256, count: U256, token: Address, chain_id: u64) -> Kept {
        let display = [&count.text(), " of the item ", &*id.text(), " of ", &token.text()].concat();
        let mut out = ObjectWriter::object();
        out.text("type", "item");
        out.value("value", &count);
        out.value("item", &id);
        out.value("token", &token);
        out.number("chainId", chain_id);
        out.text("display", &display);
        Kept(Box::new(Inner { display, json: out.close() }))
    }

    /// A constant text.
    pub fn word(text: &str) -> Kept {
        Kept::of("text", text, text.into(), "", None)
    }

    fn of(kind: &str, value: &str, display: String, stated_by: &'static str, token: Option<&Token>) -> Kept {
        let mut out = ObjectWriter::object();
        out.text("type", kind);
        out.text("value", value);
        if let Some(token) = token {
            out.value("token", &token.address);
            out.number("chainId", token.chain_id);
        }
        out.text("display", &display);
        if !stated_by.is_empty() {
            out.text("statedBy", stated_by);
        }
        Kept(Box::new(Inner { display, json: out.close() }))
    }

    /// All of it, as JSON text.
    pub fn json(&self) -> &str {
        &self.0.json
    }

    /// The value for people.
    pub fn display(&self) -> &str {
        &self.0.display
    }
}

/// A finding about one value of the payload.
#[derive(Clone, Debug)]
pub struct Finding {
    id: &'static str,
    severity: Severity,
    field: String,
    values: String,
    text: String,
}

/// A share of something that was read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Share {
    /// How much was read.
    pub read: usize,
    /// How much there is.
    pub total: usize,
}

impl Share {
    fn add(&mut self, other: Share) {
        self.read = self.read.saturating_add(other.read);
        self.total = self.total.saturating_add(other.total);
    }

    fn json(self) -> String {
        let number = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
        let mut out = ObjectWriter::object();
        out.number("read", number(self.read.min(self.total)));
        out.number("total", number(self.total));
        out.close()
    }
}

impl Finding {
    fn json(&self) -> String {
        let mut out = ObjectWriter::object();
        out.text("id", self.id);
        out.text("severity", self.severity.name());
        out.text("field", &self.field);
        out.raw("values", &self.values);
        out.text("text", &self.text);
        out.text("link", &[LINK, &anchor(self.id)].concat());
        out.close()
    }
}

/// The explanation of a payload, as it is built up.
pub struct Answer {
    kind: Kind,
    is_unread: bool,
    parts: Vec<String>,
    /// Its sentence so far.
    pub sentence: String,
    facts: Vec<(&'static str, String)>,
    gives: Vec<String>,
    gets: Vec<String>,
    /// When the last of it ends, unix seconds.
    until: Option<u64>,
    findings: Vec<Finding>,
    /// The bytes of the payload.
    pub bytes: Share,
    /// The values of the payload.
    pub fields: Share,
    opaque: Vec<String>,
    digests: Vec<(&'static str, B256)>,
    inner: Vec<Answer>,
    /// The source amount of a trade by the caller's prices, in wei of the native token; zero if that is not known.
    pub given_wei: U256,
    /// The native token that the calls inside send on, in wei.
    pub inner_wei: U256,
    /// The call in the form in which it was read, as JSON text.
    request: Option<String>,
}

impl Sink for Answer {
    type Value = Kept;

    fn keep(display: String, raw: Raw<'_>) -> Kept {
        let (kind, value, by, token) = match raw {
            Raw::Amount(amount, token) => ("amount", amount.text(), teller(token), Some(token)),
            Raw::Chain(id, is_stated) => ("chain", id.text(), if is_stated { "caller" } else { "" }, None),
            Raw::Accounts(accounts) => {
                let texts: Vec<_> = accounts.iter().map(ToText::text).collect();
                ("address", joined(&texts, ","), "", None)
            }
            Raw::Time(secs) => ("time", secs.text(), "", None),
            Raw::Share(bps) => ("bps", bps.text(), "", None),
            Raw::Count(count) => ("count", count.text(), "", None),
        };
        Kept::of(kind, &value, display, by, token)
    }

    fn say(&mut self, part: Part, values: &[Kept]) {
        fill(&mut self.sentence, part.english, &displays(values));
        let mut out = ObjectWriter::object();
        out.text("id", part.id);
        out.raw("values", &named(part, values));
        self.parts.push(out.close());
    }
}

fn displays(values: &[Kept]) -> Vec<String> {
    values.iter().map(|value| value.display().into()).collect()
}

/// The source of a token's name and decimals: the package's table, the caller, or none.
pub fn teller(token: &Token) -> &'static str {
    match &token.symbol {
        _ if asset::decimals(token.chain_id, token.address).is_some() => "table",
        None if !token.is_by_app => "",
        _ => "caller",
    }
}

fn named(part: Part, values: &[Kept]) -> String {
    let mut out = ObjectWriter::object();
    for (name, value) in part.names.iter().zip(values) {
        out.raw(name, &value.0.json);
    }
    out.close()
}

/// A path without hidden characters, cut off after 200 of them.
fn path(field: &str) -> String {
    let end = field.char_indices().nth(200).map_or(field.len(), |(end, _)| end);
    visible(field.get(..end).unwrap_or_default())
}

/// The anchor of a finding in docs/explain.md: its id as GitHub makes headings into anchors.
pub fn anchor(id: &str) -> String {
    id.replace('.', "").to_ascii_lowercase()
}

impl Answer {
    /// An answer without content yet.
    pub fn of(kind: Kind) -> Answer {
        Answer {
            kind,
            is_unread: false,
            parts: vec![],
            sentence: String::new(),
            facts: vec![],
            gives: vec![],
            gets: vec![],
            until: None,
            findings: vec![],
            bytes: Share::default(),
            fields: Share::default(),
            opaque: vec![],
            digests: vec![],
            inner: vec![],
            given_wei: U256::ZERO,
            inner_wei: U256::ZERO,
            request: None,
        }
    }

    /// Sets the form in which the call was read: `params` are JSON texts.
    pub fn forward(&mut self, method: &str, params: &[String]) {
        let mut out = ObjectWriter::object();
        out.text("method", method);
        out.raw("params", &array(params));
        self.request = Some(out.close()).filter(|_| visible(method) == method);
    }

    /// Sets the kind of the payload.
    pub fn is(&mut self, kind: Kind) {
        self.kind = kind;
    }

    /// Adds an unread value at `field`, of that many bytes, that decides the payload's effect.
    pub fn unread(&mut self, field: &str, bytes: usize) {
        self.is_unread = true;
        self.opaque(field, bytes);
    }

    /// Whether something that decides the effect is not read.
    pub fn is_unread(&self) -> bool {
        self.is_unread
    }

    /// Notes a finding about the value at `field`.
    pub fn find(&mut self, warning: &Warning, field: &str, values: &[Kept]) {
        let mut text = String::new();
        fill(&mut text, warning.part.english, &displays(values));
        let (id, severity) = (warning.part.id, warning.severity);
        self.add(Finding { id, severity, field: path(field), values: named(warning.part, values), text });
    }

    fn add(&mut self, finding: Finding) {
        if self.findings.len() < MOST {
            let is_same = |known: &Finding| {
                (known.id, &known.field, &known.values) == (finding.id, &finding.field, &finding.values)
            };
            if !self.findings.iter().any(is_same) {
                self.findings.push(finding);
            }
        } else if finding.severity == Severity::Danger
            && let Some(lesser) = self.findings.iter_mut().find(|known| known.severity != Severity::Danger)
        {
            *lesser = finding;
        }
    }

    /// Adds an unread value at `field`, of that many bytes.
    pub fn opaque(&mut self, field: &str, bytes: usize) {
        self.bytes.read = self.bytes.read.saturating_sub(bytes);
        self.fields.read = self.fields.read.saturating_sub(1);
        self.note_opaque(path(field));
    }

    fn note_opaque(&mut self, field: String) {
        if self.opaque.len() < MOST {
            self.opaque.push(field);
        }
    }

    /// Takes the answer about what is inside the value at `field`. Its findings and opaque paths are of the outer one,
    /// too. With `is_part` its bytes are a part of this payload's; otherwise they are added.
    pub fn nest(&mut self, inner: Answer, is_part: bool) {
        let prefix = ["inner.", &self.inner.len().text(), "."].concat();
        for finding in &inner.findings {
            self.add(Finding { field: [&*prefix, &finding.field].concat(), ..finding.clone() });
        }
        for path in &inner.opaque {
            self.note_opaque([&*prefix, path].concat());
        }
        self.is_unread |= inner.is_unread;
        if is_part {
            let missed = inner.bytes.total.saturating_sub(inner.bytes.read);
            self.bytes.read = self.bytes.read.saturating_sub(missed);
        } else {
            self.bytes.add(inner.bytes);
        }
        self.fields.add(inner.fields);
        self.inner.push(inner);
    }

    /// Adds a digest.
    pub fn digest(&mut self, name: &'static str, digest: B256) {
        self.digests.retain(|(known, _)| *known != name);
        self.digests.push((name, digest));
    }

    /// The digest of that name.
    pub fn digest_named(&self, name: &str) -> Option<B256> {
        self.digests.iter().find(|(known, _)| *known == name).map(|(_, digest)| *digest)
    }

    /// Adds a value to the facts, in place of an earlier one of that name.
    pub fn fact(&mut self, name: &'static str, value: &dyn ToText) {
        self.fact_json(name, quoted(&value.text()));
    }

    /// Adds a value with its display to the facts.
    pub fn fact_value(&mut self, name: &'static str, value: &Kept) {
        self.fact_json(name, value.0.json.clone());
    }

    /// Whether something is received for what is given.
    pub fn is_trade(&self) -> bool {
        !self.gets.is_empty()
    }

    /// Takes the least to be received back: what was not read may lower it.
    pub fn gets_unknown(&mut self) {
        self.gets.pop();
    }

    /// Turns the least to be received into the fact `entersBridge`: it only enters a bridge.
    pub fn enters_bridge(&mut self) {
        if let Some(json) = self.gets.pop() {
            self.fact_json("entersBridge", json);
        }
    }

    /// Adds JSON text to the facts, in place of an earlier value of that name.
    pub fn fact_json(&mut self, name: &'static str, json: String) {
        self.facts.retain(|(known, _)| *known != name);
        self.facts.push((name, json));
    }

    /// Adds an end to the facts, where the last one stands.
    pub fn until(&mut self, secs: u64) {
        self.until = self.until.max(Some(secs));
    }

    /// Adds a given amount to the facts.
    pub fn gives(&mut self, value: &Kept) {
        self.gives.push(value.0.json.clone());
    }

    /// Adds a received amount to the facts.
    pub fn gets(&mut self, value: &Kept) {
        self.gets.push(value.0.json.clone());
    }

    /// The sentence, with those of what is inside.
    fn whole_sentence(&self) -> String {
        let inner: Vec<_> = self.inner.iter().map(Answer::whole_sentence).collect();
        let between = if inner.is_empty() || self.sentence.is_empty() { "" } else { ": " };
        [&self.sentence, between, &joined(&inner, "; then ")].concat()
    }

    /// The answer as JSON.
    pub fn write(&self) -> String {
        let mut out = ObjectWriter::object();
        out.text("kind", self.kind.0);
        out.text("verdict", if self.is_unread { "unread" } else { "explained" });
        out.text("title", self.kind.1);
        out.text("sentence", &self.whole_sentence());
        out.raw("parts", &array(&self.parts));
        let mut facts = ObjectWriter::object();
        for (name, json) in &self.facts {
            facts.raw(name, json);
        }
        for (name, list) in [("gives", &self.gives), ("getsAtLeast", &self.gets)] {
            if !list.is_empty() {
                facts.raw(name, &array(list));
            }
        }
        match self.until {
            Some(until) if until < NEVER => facts.value("until", &until),
            Some(_) => facts.raw("until", "null"),
            None => {}
        }
        out.raw("facts", &facts.close());
        let findings: Vec<_> = self.findings.iter().map(Finding::json).collect();
        out.raw("findings", &array(&findings));
        let mut coverage = ObjectWriter::object();
        coverage.raw("bytes", &self.bytes.json());
        coverage.raw("fields", &self.fields.json());
        out.raw("coverage", &coverage.close());
        let opaque: Vec<_> = self.opaque.iter().map(|path| quoted(path)).collect();
        out.raw("opaque", &array(&opaque));
        let mut digests = ObjectWriter::object();
        for (name, digest) in &self.digests {
            digests.value(name, digest);
        }
        out.raw("digests", &digests.close());
        let inner: Vec<_> = self.inner.iter().map(Answer::write).collect();
        out.raw("inner", &array(&inner));
        out.raw("request", self.request.as_deref().unwrap_or("null"));
        out.close()
    }
}
