//! Nodes that may be of several kinds, such as a number or text: serde's untagged enums would lose the position of errors.

use std::fmt;

use serde::Deserialize;
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::{Bits, Expectations, Expression, PerPointer, Scalar};

impl<'de> Deserialize<'de> for PerPointer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PerPointerVisitor;
        impl<'de> Visitor<'de> for PerPointerVisitor {
            type Value = PerPointer;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number below 2^32, or {32: number, 64: number} where it depends on the pointer size")
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<PerPointer, E> {
                let value = u32::try_from(value).map_err(|_| E::invalid_value(de::Unexpected::Unsigned(value), &self))?;
                Ok(PerPointer { p32: value, p64: value })
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<PerPointer, A::Error> {
                let (mut p32, mut p64) = (None, None);
                // The keys are plain integers in YAML: a derived struct would take them for field indices.
                while let Some(key) = map.next_key_seed(Key(&|key| match key {
                    "32" if p32.is_some() => Err("duplicate field `32`".to_owned()),
                    "64" if p64.is_some() => Err("duplicate field `64`".to_owned()),
                    "32" | "64" => Ok(()),
                    other => Err(format!("unknown field `{other}`, expected `32` or `64`")),
                }))? {
                    let slot = if key == "32" { &mut p32 } else { &mut p64 };
                    *slot = Some(map.next_value()?);
                }
                match (p32, p64) {
                    (Some(p32), Some(p64)) => Ok(PerPointer { p32, p64 }),
                    (None, _) => Err(de::Error::missing_field("32")),
                    (_, None) => Err(de::Error::missing_field("64")),
                }
            }
        }
        deserializer.deserialize_any(PerPointerVisitor)
    }
}

impl<'de> Deserialize<'de> for Expression {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        scalar(deserializer, "an expression (text) or a number", Self::Number, Self::Text)
    }
}

impl<'de> Deserialize<'de> for Bits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // A bit that no number of 32 bits holds is out of range like any other.
        scalar(
            deserializer,
            "a bit number, or first-last, such as 8-10",
            |bit| Self::One(bit.try_into().unwrap_or(u32::MAX)),
            Self::Range,
        )
    }
}

impl<'de> Deserialize<'de> for Expectations {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ExpectationsVisitor;
        impl<'de> Visitor<'de> for ExpectationsVisitor {
            type Value = Expectations;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map from field names to values")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Expectations, A::Error> {
                let mut entries: Vec<(String, Scalar)> = Vec::new();
                while let Some(key) = map.next_key_seed(Key(&|key| match entries.iter().any(|(earlier, _)| earlier == key) {
                    true => Err(format!("duplicate field `{key}`")),
                    false => Ok(()),
                }))? {
                    entries.push((key, map.next_value()?));
                }
                Ok(Expectations(entries))
            }
        }
        deserializer.deserialize_map(ExpectationsVisitor)
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ScalarVisitor;
        impl<'de> Visitor<'de> for ScalarVisitor {
            type Value = Scalar;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number, text, or a list of these")
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Scalar, E> {
                Ok(Scalar::Unsigned(value))
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Scalar, E> {
                Ok(Scalar::Signed(value))
            }

            fn visit_str<E: de::Error>(self, value: &str) -> Result<Scalar, E> {
                Ok(Scalar::Text(value.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Scalar, A::Error> {
                let mut values = Vec::new();
                while let Some(value) = list.next_element()? {
                    values.push(value);
                }
                Ok(Scalar::List(values))
            }
        }
        deserializer.deserialize_any(ScalarVisitor)
    }
}

/// A key of a map that is checked where it stands, so that an error points at it and not at the map.
struct Key<'a>(&'a dyn Fn(&str) -> Result<(), String>);

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: de::Error>(self, key: &str) -> Result<String, E> {
        (self.0)(key).map_err(E::custom)?;
        Ok(key.to_owned())
    }
}

/// Reads what is either a number or text.
fn scalar<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    expecting: &'static str,
    number: impl FnOnce(u64) -> T,
    text: impl FnOnce(String) -> T,
) -> Result<T, D::Error> {
    struct Either<N, S>(&'static str, N, S);
    impl<T, N: FnOnce(u64) -> T, S: FnOnce(String) -> T> Visitor<'_> for Either<N, S> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }

        fn visit_u64<E: de::Error>(self, value: u64) -> Result<T, E> {
            Ok((self.1)(value))
        }

        fn visit_str<E: de::Error>(self, value: &str) -> Result<T, E> {
            Ok((self.2)(value.to_owned()))
        }
    }
    deserializer.deserialize_any(Either(expecting, number, text))
}
