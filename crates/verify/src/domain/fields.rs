//! Reads a caller's object member by member, and the macro in which a struct spells its members once for reading,
//! writing and refusing unknown ones.

use crate::error::{Error, Result};
use crate::json::{ADVANCED, JsonAt, ObjectWriter};

/// An object that is being read. After the first malformed member no other is read, so [`Fields::finish`] returns the
/// first fault, and reading needs no `?` per member.
///
/// ```
/// use verified_swap_verify::internal::domain::fields::Fields;
/// use verified_swap_verify::internal::domain::input::chain_id;
/// use verified_swap_verify::internal::json::{JsonAt, parse};
/// let json = parse(r#"{"from":1,"to":0,"by":-1}"#).unwrap();
/// let object = JsonAt::input(&json, "way");
/// let (mut from, mut to, mut by, mut past) = (0_u64, Some(7_u64), 9_u64, Some(3_u64));
/// let mut fields = Fields::of(&object);
/// fields.required("from", chain_id, &mut from);
/// fields.optional("past", chain_id, &mut past);
/// fields.optional("to", chain_id, &mut to);
/// fields.required("by", chain_id, &mut by);
/// assert_eq!(fields.finish().unwrap_err().field.as_deref(), Some("way.to"));
/// assert_eq!((from, past, to, by), (1, Some(3), Some(7), 9));
/// ```
pub struct Fields<'o, 'a> {
    object: &'o JsonAt<'a>,
    /// The member that [`Fields::select`] selected last.
    member: JsonAt<'a>,
    fault: Option<Error>,
}

impl<'o, 'a> Fields<'o, 'a> {
    /// Starts to read that object.
    pub fn of(object: &'o JsonAt<'a>) -> Fields<'o, 'a> {
        Fields { object, member: *object, fault: None }
    }

    /// Reads a member that must be there, into `place`.
    pub fn required<T, P: From<T>>(&mut self, name: &'a str, read: fn(&JsonAt<'a>) -> Result<T>, place: &mut P) {
        self.read(name, true, read, place);
    }

    /// Reads a member into `place`, or leaves `place` as it is if the member is absent or `null`.
    pub fn optional<T, P: From<T>>(&mut self, name: &'a str, read: fn(&JsonAt<'a>) -> Result<T>, place: &mut P) {
        self.read(name, false, read, place);
    }

    /// Reads a member, unless an earlier one was malformed or it is optional and absent.
    fn read<T, P: From<T>>(&mut self, name: &'a str, needed: bool, read: fn(&JsonAt<'a>) -> Result<T>, place: &mut P) {
        if self.select(name, needed) {
            match read(&self.member) {
                Ok(value) => *place = value.into(),
                Err(fault) => self.fault = Some(fault),
            }
        }
    }

    /// Selects a member. Returns whether it has to be read.
    fn select(&mut self, name: &'a str, needed: bool) -> bool {
        self.member = self.object.option(name);
        self.fault.is_none() && (needed || !self.member.is_absent())
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// The fault of the first member that was missing or malformed.
    pub fn finish(self) -> Result<()> {
        self.fault.map_or(Ok(()), Err)
    }
}

/// An object that is being written, by the names in its table of members.
pub trait Places {
    /// The object that has the member of that name, and the member's own name in it.
    fn place(&mut self, name: &'static str) -> (&mut ObjectWriter, &'static str);
}

impl Places for ObjectWriter {
    fn place(&mut self, name: &'static str) -> (&mut ObjectWriter, &'static str) {
        (self, name)
    }
}

/// An object that is being written, and its member `advanced`.
pub struct Writers {
    own: ObjectWriter,
    advanced: ObjectWriter,
}

impl Writers {
    /// An object without members yet.
    pub fn object() -> Writers {
        Writers { own: ObjectWriter::object(), advanced: ObjectWriter::object() }
    }

    /// The text with the closing brace; `advanced` comes last, and is left out if it is empty.
    pub fn close(mut self) -> String {
        let advanced = self.advanced.close();
        self.own.maybe_raw("advanced", Some(advanced).filter(|text| text != "{}"));
        self.own.close()
    }
}

impl Places for Writers {
    fn place(&mut self, name: &'static str) -> (&mut ObjectWriter, &'static str) {
        match name.strip_prefix(ADVANCED) {
            Some(own) => (&mut self.advanced, own),
            None => (&mut self.own, name),
        }
    }
}

/// The members of an object, each spelled once: expands, inside an `impl`, to the array of their names, `read_members`
/// and `write_members`.
///
/// A row is `"name": how(reader, place), put(value);`. A name that begins with `advanced.` is of a member of `advanced`
/// ([`JsonAt::option`]); it is written to a [`Writers`]. `how` is a method of [`Fields`] (`required` or `optional`),
/// `put` one of [`ObjectWriter`](crate::json::ObjectWriter). Either may be left out, for a member that is only read or
/// only written there; its name is in the array all the same.
#[doc(hidden)]
#[macro_export]
macro_rules! members {
    ($names:ident of $this:ident: $type:ty;
     $($name:literal: $($how:ident($read:expr, $place:expr))?, $($put:ident($value:expr))?;)*) => {
        /// The names of the members, in the order in which they are read and written.
        pub const $names: [&'static str; [$($name),*].len()] = [$($name),*];

        fn read_members(fields: &mut $crate::internal::domain::fields::Fields<'_, '_>, $this: &mut $type) {
            $($(fields.$how($name, $read, &mut $place);)?)*
        }

        fn write_members(out: &mut impl $crate::internal::domain::fields::Places, $this: &$type) {
            $($(
                let (place, name) = $crate::internal::domain::fields::Places::place(out, $name);
                place.$put(name, $value);
            )?)*
        }
    };
}
pub use members;
