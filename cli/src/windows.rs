//! From the build number in a trace to the name people know, and back.

use winetl_codegen::model::WindowsVersion;

/// Builds of released Windows versions by rising number: Microsoft, "Windows release information" and "Windows Server release
/// information"; for Vista and 7 the documented version numbers of their service packs.
const BUILDS: &[(u64, &str)] = &[
    (2195, "Windows 2000"),
    (2600, "Windows XP"),
    (3790, "Windows Server 2003"),
    (6000, "Windows Vista"),
    (6001, "Windows Vista SP1 or Server 2008"),
    (6002, "Windows Vista SP2 or Server 2008 SP2"),
    (7600, "Windows 7 or Server 2008 R2"),
    (7601, "Windows 7 SP1 or Server 2008 R2 SP1"),
    (9200, "Windows 8 or Server 2012"),
    (9600, "Windows 8.1 or Server 2012 R2"),
    (10240, "Windows 10 1507"),
    (10586, "Windows 10 1511"),
    (14393, "Windows 10 1607 or Server 2016"),
    (15063, "Windows 10 1703"),
    (16299, "Windows 10 1709"),
    (17134, "Windows 10 1803"),
    (17763, "Windows 10 1809 or Server 2019"),
    (18362, "Windows 10 1903"),
    (18363, "Windows 10 1909"),
    (19041, "Windows 10 2004"),
    (19042, "Windows 10 20H2"),
    (19043, "Windows 10 21H1"),
    (19044, "Windows 10 21H2"),
    (19045, "Windows 10 22H2"),
    (20348, "Windows Server 2022"),
    (22000, "Windows 11 21H2"),
    (22621, "Windows 11 22H2"),
    (22631, "Windows 11 23H2"),
    (26100, "Windows 11 24H2 or Server 2025"),
    (26200, "Windows 11 25H2"),
];

/// Name of a build; for one that was never released, the release that it came after. `None` before all of them.
pub(crate) fn name(build: u64) -> Option<String> {
    let before = BUILDS.partition_point(|(number, _)| *number <= build).checked_sub(1)?;
    let (number, name) = BUILDS.get(before)?;
    Some(if *number == build {
        (*name).to_owned()
    } else {
        format!("pre-release after {name}")
    })
}

/// First build of each version of the kernel: Microsoft, "Operating System Version".
const KERNELS: &[(u64, u32, u32)] = &[
    (2195, 5, 0),
    (2600, 5, 1),
    (3790, 5, 2),
    (6000, 6, 0),
    (7600, 6, 1),
    (9200, 6, 2),
    (9600, 6, 3),
    (10240, 10, 0),
];

/// The version that a text means: a name such as `7`, `10-1903`, `Windows 11 24H2` or `server-2022`, or the numbers themselves.
/// `None` for what is neither, and for numbers that no Windows has, such as 11.0.
pub(crate) fn version(text: &str) -> Option<WindowsVersion> {
    let plain = |text: &str| {
        let text = text.trim().to_ascii_lowercase().replace(['-', '_'], " ");
        text.strip_prefix("windows ").map(str::to_owned).unwrap_or(text)
    };
    let wanted = plain(text);
    if let Some((build, _)) = BUILDS
        .iter()
        .find(|(_, names)| names.split(" or ").any(|name| plain(name) == wanted))
    {
        let before = KERNELS.partition_point(|(first, ..)| first <= build).checked_sub(1)?;
        let (_, major, minor) = *KERNELS.get(before)?;
        return Some(WindowsVersion(major, minor, u32::try_from(*build).ok()?));
    }
    let version = WindowsVersion::parse(text)?;
    let exists = KERNELS
        .iter()
        .any(|(_, major, minor)| (*major, *minor) == (version.0, version.1));
    exists.then_some(version)
}

/// What to write in place of a text that is no Windows version.
pub(crate) fn advice() -> String {
    let numbers: Vec<String> = KERNELS.iter().map(|(_, major, minor)| format!("{major}.{minor}")).collect();
    format!(
        "not a Windows version: write the kernel's numbers ({}, with .BUILD behind them for one release of 10 or 11) or a name such \
         as xp, vista, 7, 8.1, 10-1903, 11-24H2, server-2022",
        numbers.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_rise() {
        assert!(BUILDS.is_sorted_by(|a, b| a.0 < b.0));
    }

    #[test]
    fn versions_have_names_and_numbers() {
        for (text, expected) in [
            ("6.1", Some(WindowsVersion(6, 1, 0))),
            ("10.0.22631", Some(WindowsVersion(10, 0, 22631))),
            ("7", Some(WindowsVersion(6, 1, 7600))),
            ("Windows 7 SP1", Some(WindowsVersion(6, 1, 7601))),
            ("8.1", Some(WindowsVersion(6, 3, 9600))),
            ("xp", Some(WindowsVersion(5, 1, 2600))),
            ("10-1903", Some(WindowsVersion(10, 0, 18362))),
            ("11-24h2", Some(WindowsVersion(10, 0, 26100))),
            ("server-2012", Some(WindowsVersion(6, 2, 9200))),
            ("11.0", None),
            ("10", None),
            ("+6.1", None),
            ("6.1.7601.1", None),
            ("", None),
        ] {
            assert_eq!(version(text), expected, "{text}");
        }
    }

    #[test]
    fn names_builds() {
        assert_eq!(name(19045).as_deref(), Some("Windows 10 22H2"));
        assert_eq!(name(26200).as_deref(), Some("Windows 11 25H2"));
        assert_eq!(
            name(8250).as_deref(),
            Some("pre-release after Windows 7 SP1 or Server 2008 R2 SP1")
        );
        assert_eq!(name(99999).as_deref(), Some("pre-release after Windows 11 25H2"));
        assert_eq!(name(0), None);
    }
}
