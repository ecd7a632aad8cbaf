//! Provider traits: the name of a provider, and the groups it belongs to.

use std::borrow::Cow;

use crate::context::Context;
use crate::event::Event;
use crate::format::{EtwProviderTraitType, EventExtendedItemProvTraits, EventHeaderExtType};
use crate::guid::Guid;
use crate::layout::{Layout, LayoutError};
use crate::table::OpenEnum;
use crate::text::push_ansi;

/// What a provider says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProviderTraits {
    /// Name; empty if it has none.
    pub name: String,
    /// Group that the provider belongs to.
    pub group: Option<Guid>,
    /// GUID by which its events are described, where that is not the one it is enabled by.
    pub decode: Option<Guid>,
}

impl ProviderTraits {
    /// Reads the data of an extended item of type 12, EVENT_HEADER_EXT_TYPE_PROV_TRAITS. Traits of unknown types are passed over.
    ///
    /// # Errors
    /// If not even the name is there.
    pub fn parse(data: &[u8]) -> Result<Self, LayoutError> {
        let stated = data.first_chunk().map_or(0, |size| usize::from(u16::from_le_bytes(*size)));
        // The item may be longer than the traits, which say their own size.
        let data = data.get(..stated).unwrap_or(data);
        let (item, _) = EventExtendedItemProvTraits::read_prefix(data, Context::default())?;
        let mut traits = Self::default();
        push_ansi(&item.provider_name.bytes, &mut traits.name);
        for found in item.traits {
            let guid = found.data.as_slice().try_into().ok().map(Guid::from_bytes);
            match found.type_ {
                EtwProviderTraitType::GROUP => traits.group = traits.group.or(guid),
                EtwProviderTraitType::DECODE_GUID => traits.decode = traits.decode.or(guid),
                _ => {}
            }
        }
        Ok(traits)
    }
}

/// The traits of the provider of an event; `None` if the event does not carry any.
pub fn of(event: &Event<'_>) -> Option<Result<ProviderTraits, LayoutError>> {
    data(event).map(ProviderTraits::parse)
}

/// Name of the provider of an event, from its traits. Nothing is copied unless the name is no UTF-8.
pub fn provider_name<'a>(event: &Event<'a>) -> Option<Cow<'a, str>> {
    let (_, name) = data(event)?.split_first_chunk::<2>()?;
    let name = name.split(|byte| *byte == 0).next().filter(|name| !name.is_empty())?;
    Some(String::from_utf8_lossy(name))
}

fn data<'a>(event: &Event<'a>) -> Option<&'a [u8]> {
    let traits = EventHeaderExtType::PROV_TRAITS.number();
    event
        .extended_items()
        .find(|item| item.item_type() == traits)
        .map(|item| item.data)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trait_bytes(kind: u8, byte: u8) -> Vec<u8> {
        [&[19, 0, kind][..], &[byte; 16]].concat()
    }

    #[test]
    fn name_and_guids() {
        let body = [b"Prov\0".to_vec(), trait_bytes(9, 9), trait_bytes(1, 1), trait_bytes(2, 2)].concat();
        let size = u16::try_from(body.len() + 2).unwrap().to_le_bytes();
        let mut data = [&size[..], &body].concat();
        let expected = ProviderTraits {
            name: "Prov".to_owned(),
            group: Some(Guid::from_bytes([1; 16])),
            decode: Some(Guid::from_bytes([2; 16])),
        };
        assert_eq!(ProviderTraits::parse(&data).unwrap(), expected);
        // What follows the stated size is no trait.
        data[0] -= 19;
        assert_eq!(
            ProviderTraits::parse(&data).unwrap(),
            ProviderTraits {
                decode: None,
                ..expected
            }
        );
    }

    #[test]
    fn cut_anywhere() {
        let data = [b"\x1a\0Prov\0".to_vec(), trait_bytes(1, 7)].concat();
        for length in 0..=data.len() {
            let traits = ProviderTraits::parse(&data[..length]);
            assert_eq!(traits.is_err(), length < 2, "{length}");
            assert_eq!(traits.is_ok_and(|traits| traits.group.is_some()), length == data.len());
        }
    }
}
