//! Well-known providers: names for GUIDs where a trace does not say them.

use crate::format::provider_names::{KERNEL_PROVIDER, PROVIDERS};
use crate::guid::Guid;

/// What the schema says of a provider.
#[derive(Debug, PartialEq, Eq)]
pub struct ProviderInfo {
    /// Its GUID.
    pub id: Guid,
    /// The name that it is registered under.
    pub name: &'static str,
    /// What its events tell of.
    pub doc: &'static str,
}

/// Finds a well-known provider; `None` for all others.
pub fn provider(id: &Guid) -> Option<&'static ProviderInfo> {
    let index = PROVIDERS.binary_search_by(|provider| provider.id.cmp(id)).ok()?;
    PROVIDERS.get(index)
}

/// Name of a well-known provider; `None` for all others.
pub fn provider_name(id: &Guid) -> Option<&'static str> {
    provider(id).map(|provider| provider.name)
}

/// What Windows' own consumers report as the provider of every kernel event: the headers of those name none.
pub fn kernel_provider() -> Option<&'static ProviderInfo> {
    KERNEL_PROVIDER
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_every_provider_is_found() {
        assert!(PROVIDERS.is_sorted_by(|a, b| a.id < b.id));
        for info in &PROVIDERS {
            assert_eq!(provider(&info.id), Some(info));
            assert!(!info.name.is_empty() && !info.doc.is_empty());
        }
    }

    #[test]
    fn neighbours_of_known_guids_are_not_known() {
        for info in &PROVIDERS {
            for bit in 0..128 {
                let other = u128::from_be_bytes(info.id.to_bytes()) ^ 1 << bit;
                let other = Guid::from_bytes(other.to_be_bytes());
                assert_eq!(provider_name(&other), None, "{other}");
            }
        }
        assert_eq!(provider_name(&Guid::ZERO), None);
    }

    #[test]
    fn the_kernel_has_the_provider_of_windows_own_consumers() {
        let id: Guid = "9e814aad-3204-11d2-9a82-006008a86939".parse().unwrap();
        let kernel = kernel_provider().unwrap();
        assert_eq!((kernel.id, kernel.name), (id, "MSNT_SystemTrace"));
        assert_eq!(provider(&id), Some(kernel));
    }

    /// GUIDs that Microsoft publishes.
    #[test]
    fn published_names() {
        for (id, name) in [
            ("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4", "Microsoft-Windows-DotNETRuntime"),
            (
                "a669021c-c450-4609-a035-5af59af4df18",
                "Microsoft-Windows-DotNETRuntimeRundown",
            ),
            ("22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716", "Microsoft-Windows-Kernel-Process"),
        ] {
            assert_eq!(provider_name(&id.parse().unwrap()), Some(name));
        }
    }
}
