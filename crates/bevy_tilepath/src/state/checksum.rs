//! A number for a value, by which damage to a file is found.

use std::fmt;

use serde::{
    Serialize, Serializer,
    ser::{
        SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
        SerializeTupleStruct, SerializeTupleVariant,
    },
};

/// The hash FNV-1a of all parts of a value. It depends on no file format, so that a state can be read
/// after a newer version of a format's crate has written numbers otherwise.
#[derive(Debug)]
struct Checksum(u64);

/// Returns the checksum of a value.
pub(super) fn of(value: &impl Serialize) -> u64 {
    let mut checksum = Checksum(0xCBF2_9CE4_8422_2325);
    // No value here refuses to be written.
    let _ = value.serialize(&mut checksum);
    checksum.0
}

impl Checksum {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }

    /// Adds the number of parts that follow, so that parts of neighbours cannot be exchanged.
    fn begin(&mut self, length: usize) -> &mut Self {
        self.add(&(length as u64).to_le_bytes());
        self
    }
}

macro_rules! numbers {
    ($($method:ident: $Number:ty,)*) => {$(
        fn $method(self, value: $Number) -> Result<(), fmt::Error> {
            self.add(&value.to_le_bytes());
            Ok(())
        }
    )*};
}

impl Serializer for &mut Checksum {
    type Ok = ();
    type Error = fmt::Error;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    numbers! {
        serialize_i8: i8,
        serialize_i16: i16,
        serialize_i32: i32,
        serialize_i64: i64,
        serialize_u8: u8,
        serialize_u16: u16,
        serialize_u32: u32,
        serialize_u64: u64,
        serialize_f32: f32,
        serialize_f64: f64,
    }

    fn serialize_bool(self, value: bool) -> Result<(), fmt::Error> {
        self.add(&[u8::from(value)]);
        Ok(())
    }

    fn serialize_char(self, value: char) -> Result<(), fmt::Error> {
        self.serialize_u32(value.into())
    }

    fn serialize_str(self, value: &str) -> Result<(), fmt::Error> {
        self.begin(value.len()).add(value.as_bytes());
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), fmt::Error> {
        self.begin(value.len()).add(value);
        Ok(())
    }

    fn serialize_none(self) -> Result<(), fmt::Error> {
        self.add(&[0]);
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), fmt::Error> {
        self.add(&[1]);
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), fmt::Error> {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), fmt::Error> {
        Ok(())
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), fmt::Error> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), fmt::Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), fmt::Error> {
        self.serialize_str(variant)?;
        value.serialize(self)
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Self, fmt::Error> {
        Ok(self.begin(length.unwrap_or_default()))
    }

    fn serialize_tuple(self, length: usize) -> Result<Self, fmt::Error> {
        Ok(self.begin(length))
    }

    fn serialize_tuple_struct(self, _: &'static str, length: usize) -> Result<Self, fmt::Error> {
        Ok(self.begin(length))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Self, fmt::Error> {
        self.serialize_str(variant)?;
        Ok(self.begin(length))
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Self, fmt::Error> {
        Ok(self.begin(length.unwrap_or_default()))
    }

    fn serialize_struct(self, _: &'static str, length: usize) -> Result<Self, fmt::Error> {
        Ok(self.begin(length))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Self, fmt::Error> {
        self.serialize_str(variant)?;
        Ok(self.begin(length))
    }
}

macro_rules! parts {
    ($($Trait:ident :: $method:ident)*) => {$(
        impl $Trait for &mut Checksum {
            type Ok = ();
            type Error = fmt::Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), fmt::Error> {
                value.serialize(&mut **self)
            }

            fn end(self) -> Result<(), fmt::Error> {
                Ok(())
            }
        }
    )*};
}

parts! {
    SerializeSeq::serialize_element
    SerializeTuple::serialize_element
    SerializeTupleStruct::serialize_field
    SerializeTupleVariant::serialize_field
}

macro_rules! named_parts {
    ($($Trait:ident)*) => {$(
        impl $Trait for &mut Checksum {
            type Ok = ();
            type Error = fmt::Error;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), fmt::Error> {
                self.serialize_str(key)?;
                value.serialize(&mut **self)
            }

            fn end(self) -> Result<(), fmt::Error> {
                Ok(())
            }
        }
    )*};
}

named_parts! { SerializeStruct SerializeStructVariant }

impl SerializeMap for &mut Checksum {
    type Ok = ();
    type Error = fmt::Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), fmt::Error> {
        key.serialize(&mut **self)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), fmt::Error> {
        value.serialize(&mut **self)
    }

    fn end(self) -> Result<(), fmt::Error> {
        Ok(())
    }
}
