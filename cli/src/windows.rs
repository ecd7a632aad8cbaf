//! From the build number in a trace to the name people know.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_rise() {
        assert!(BUILDS.is_sorted_by(|a, b| a.0 < b.0));
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
