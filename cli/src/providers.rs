//! Providers whose name is known without any file of theirs.

use winetl::Guid;

/// A provider.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Provider {
    pub(crate) id: Guid,
    pub(crate) name: &'static str,
}

/// What Windows' own consumers report as the provider of every kernel event: those events carry no provider themselves.
pub(crate) const KERNEL: Provider = Provider {
    id: Guid::from_fields(0x9e81_4aad, 0x3204, 0x11d2, [0x9a, 0x82, 0x00, 0x60, 0x08, 0xa8, 0x69, 0x39]),
    name: "MSNT_SystemTrace",
};

/// All of them.
const WELL_KNOWN: &[Provider] = &[KERNEL];

/// Name of a well-known provider.
pub(crate) fn name(id: &Guid) -> Option<&'static str> {
    WELL_KNOWN
        .iter()
        .find(|provider| provider.id == *id)
        .map(|provider| provider.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernel_provider_is_windows_own() {
        let id: Guid = "9e814aad-3204-11d2-9a82-006008a86939".parse().unwrap();
        assert_eq!(KERNEL.id, id);
        assert_eq!(name(&id), Some("MSNT_SystemTrace"));
        assert_eq!(name(&Guid::ZERO), None);
    }
}
