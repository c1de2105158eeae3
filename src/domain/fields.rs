//! Reading an object member by member, each into its place.

use crate::error::{Error, Result};
use crate::json::JsonAt;

/// An object that is being read. Once a member is not as it must be, none is read any more: the first fault is the one
/// that is told.
///
/// ```
/// use verified_swap::domain::fields::Fields;
/// use verified_swap::domain::input::chain_id;
/// use verified_swap::json::{JsonAt, parse};
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
    /// The member that is read last.
    member: JsonAt<'a>,
    fault: Option<Error>,
}

impl<'o, 'a> Fields<'o, 'a> {
    /// The object at that place.
    pub fn of(object: &'o JsonAt<'a>) -> Fields<'o, 'a> {
        Fields { object, member: *object, fault: None }
    }

    /// Reads a member that has to be there.
    pub fn required<T, P: From<T>>(&mut self, name: &'a str, read: fn(&JsonAt<'a>) -> Result<T>, place: &mut P) {
        self.read(name, true, read, place);
    }

    /// Reads a member unless it is absent; its place is then left as it is.
    pub fn optional<T, P: From<T>>(&mut self, name: &'a str, read: fn(&JsonAt<'a>) -> Result<T>, place: &mut P) {
        self.read(name, false, read, place);
    }

    fn read<T, P: From<T>>(&mut self, name: &'a str, needed: bool, read: fn(&JsonAt<'a>) -> Result<T>, place: &mut P) {
        if self.goes_on(name, needed) {
            match read(&self.member) {
                Ok(value) => *place = value.into(),
                Err(fault) => self.fault = Some(fault),
            }
        }
    }

    /// Turns to a member; says whether it is to be read.
    fn goes_on(&mut self, name: &'a str, needed: bool) -> bool {
        self.member = self.object.get(name);
        self.fault.is_none() && (needed || !self.member.is_absent())
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// The first member that was not as it must be.
    pub fn finish(self) -> Result<()> {
        self.fault.map_or(Ok(()), Err)
    }
}

/// The members of an object, each spelled once, inside an `impl`: the array of their names, `read_members` and
/// `write_members`. A row is `name: how it is read (reader, place), how it is written (value);`, either of which may be left
/// out: `required` and `optional` are those of [`Fields`], the rest those of an object that is written.
macro_rules! members {
    ($names:ident of $this:ident: $type:ty;
     $($name:literal: $($how:ident($read:expr, $place:expr))?, $($put:ident($value:expr))?;)*) => {
        /// The names of the members, in the order in which they are read and written.
        pub const $names: [&'static str; [$($name),*].len()] = [$($name),*];

        fn read_members(fields: &mut $crate::domain::fields::Fields<'_, '_>, $this: &mut $type) {
            $($(fields.$how($name, $read, &mut $place);)?)*
        }

        fn write_members(out: &mut $crate::json::ObjectWriter, $this: &$type) {
            $($(out.$put($name, $value);)?)*
        }
    };
}
pub(crate) use members;
