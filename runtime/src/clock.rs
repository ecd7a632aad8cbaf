//! From the raw time stamps of a trace session to UTC.

use crate::filetime::Filetime;

/// 100 ns units of a day: how near the logfile header's raw stamp must be to `StartTime` to be a FILETIME itself.
const DAY: u64 = 864_000_000_000;

/// What the logfile header says about the clock of its session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClockParameters {
    /// `ReservedFlags` of TRACE_LOGFILE_HEADER: 1 performance counter, 2 system time, 3 CPU cycles, 0 not said.
    pub clock_type: u64,
    /// `StartTime` of TRACE_LOGFILE_HEADER, a FILETIME (100 ns since 1601, UTC).
    pub start_time: i64,
    /// Raw time stamp of the event that carries the logfile header; it was taken at `start_time`.
    pub reference: i64,
    /// `PerfFreq` of TRACE_LOGFILE_HEADER: performance counter ticks per second.
    pub frequency: i64,
    /// `CpuSpeedInMHz` of TRACE_LOGFILE_HEADER: the nominal number of CPU cycles per microsecond.
    pub cpu_mhz: u64,
}

/// Which clock a session took its raw time stamps from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClockKind {
    /// QueryPerformanceCounter, `PerfFreq` ticks per second.
    PerformanceCounter,
    /// System time: the raw stamp is a FILETIME.
    SystemTime,
    /// CPU time stamp counter, `CpuSpeedInMHz` ticks per microsecond; as inexact as that nominal speed.
    CpuCycles,
    /// A clock type that is not known.
    Unknown,
}

impl ClockKind {
    /// Name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PerformanceCounter => "performance counter",
            Self::SystemTime => "system time",
            Self::CpuCycles => "CPU cycle counter",
            Self::Unknown => "unknown clock",
        }
    }
}

impl std::fmt::Display for ClockKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

/// Converts the raw time stamps of one session.
///
/// With `S` the raw stamp of the logfile header event and `t` a raw stamp, the time is
/// `StartTime + (t - S) * 10,000,000 / PerfFreq` for the performance counter, `t` for system time and
/// `StartTime + (t - S) * 10 / CpuSpeedInMHz` for CPU cycles, each rounded down and exact. `BootTime` takes no part: it is
/// coarse, and neither sleep nor clock changes since boot are in it. Clock type 0 (not said; no trace with it is known) is
/// taken as system time if `S` lies within a day of `StartTime`, else as the performance counter.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    parameters: ClockParameters,
    kind: ClockKind,
    scale: Scale,
}

/// How a raw stamp becomes a time.
#[derive(Debug, Clone, Copy)]
enum Scale {
    /// It is one.
    Identity,
    /// The distance to the reference times `numerator / denominator` (lowest terms, both positive) is in 100 ns units.
    Ratio { numerator: i64, denominator: i64 },
    /// The parameters allow no conversion.
    Impossible,
}

impl Clock {
    /// Makes the clock. Parameters that allow no conversion still give one; [`Clock::problem`] then says why.
    #[must_use]
    pub fn new(parameters: ClockParameters) -> Self {
        let kind = match parameters.clock_type {
            0 if parameters.reference.abs_diff(parameters.start_time) <= DAY => ClockKind::SystemTime,
            0 | 1 => ClockKind::PerformanceCounter,
            2 => ClockKind::SystemTime,
            3 => ClockKind::CpuCycles,
            _ => ClockKind::Unknown,
        };
        let scale = match kind {
            ClockKind::SystemTime => Scale::Identity,
            ClockKind::PerformanceCounter => ratio(10_000_000, parameters.frequency),
            // A speed beyond i64 is as impossible as 0.
            ClockKind::CpuCycles => ratio(10, i64::try_from(parameters.cpu_mhz).unwrap_or(0)),
            ClockKind::Unknown => Scale::Impossible,
        };
        Self { parameters, kind, scale }
    }

    /// Which clock the stamps come from.
    #[must_use]
    pub const fn kind(&self) -> ClockKind {
        self.kind
    }

    /// Whether the file leaves the clock open (type 0), so that [`Clock::kind`] is an assumption.
    #[must_use]
    pub const fn is_assumed(&self) -> bool {
        self.parameters.clock_type == 0
    }

    /// The parameters that the clock was made from.
    #[must_use]
    pub const fn parameters(&self) -> &ClockParameters {
        &self.parameters
    }

    /// Why [`Clock::to_filetime`] answers `None` for every stamp, or `None` if the clock works.
    #[must_use]
    pub fn problem(&self) -> Option<String> {
        if !matches!(self.scale, Scale::Impossible) {
            return None;
        }
        let ClockParameters {
            clock_type,
            frequency,
            cpu_mhz,
            ..
        } = self.parameters;
        Some(match self.kind {
            ClockKind::PerformanceCounter => {
                format!("PerfFreq is {frequency}, expected a positive number of ticks per second: raw times have no UTC time")
            }
            ClockKind::CpuCycles => {
                format!("CpuSpeedInMHz is {cpu_mhz}, expected a positive number: raw times (CPU cycles) have no UTC time")
            }
            _ => format!(
                "clock type (ReservedFlags) is {clock_type}, expected 0, 1 (performance counter), 2 (system time) or 3 (CPU \
                 cycles): raw times have no UTC time"
            ),
        })
    }

    /// The time of raw stamp `raw`, rounded down to 100 ns; `None` if the parameters are impossible (see
    /// [`Clock::problem`]) or the time is outside what a FILETIME can hold.
    #[must_use]
    #[inline]
    pub fn to_filetime(&self, raw: i64) -> Option<Filetime> {
        let ClockParameters {
            start_time, reference, ..
        } = self.parameters;
        match self.scale {
            Scale::Identity => Some(Filetime(raw)),
            Scale::Ratio { numerator, denominator } => {
                // One 64-bit division while the product fits (for a counter of 10 MHz, the usual one, not even that).
                // The 128-bit division of the general case costs several times as much.
                let product = raw.checked_sub(reference).and_then(|ticks| ticks.checked_mul(numerator));
                let time = match product {
                    Some(product) if denominator == 1 => start_time.checked_add(product),
                    Some(product) => start_time.checked_add(product.div_euclid(denominator)),
                    None => wide(start_time, reference, raw, numerator, denominator),
                };
                time.map(Filetime)
            }
            Scale::Impossible => None,
        }
    }
}

/// The conversion for distances whose product leaves 64 bits.
fn wide(start_time: i64, reference: i64, raw: i64, numerator: i64, denominator: i64) -> Option<i64> {
    if let Some(time) = split(start_time, reference, raw, numerator, denominator) {
        return Some(time);
    }
    let product = (i128::from(raw) - i128::from(reference)) * i128::from(numerator);
    i64::try_from(i128::from(start_time) + product.div_euclid(i128::from(denominator))).ok()
}

/// The same in 64 bits by whole and partial periods of the denominator; `None` where a step does not fit.
fn split(start_time: i64, reference: i64, raw: i64, numerator: i64, denominator: i64) -> Option<i64> {
    let ticks = raw.checked_sub(reference)?;
    let whole = ticks.div_euclid(denominator).checked_mul(numerator)?;
    let part = ticks.rem_euclid(denominator).checked_mul(numerator)? / denominator;
    start_time.checked_add(whole)?.checked_add(part)
}

/// `units / per` in lowest terms, which keeps the products small.
fn ratio(units: i64, per: i64) -> Scale {
    if per <= 0 {
        return Scale::Impossible;
    }
    let (mut a, mut b) = (units, per);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    Scale::Ratio {
        numerator: units / a,
        denominator: per / a,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, in 128 bits.
    fn exact(p: &ClockParameters, units: i128, per: i128, raw: i64) -> Option<Filetime> {
        let product = (i128::from(raw) - i128::from(p.reference)) * units;
        i64::try_from(i128::from(p.start_time) + product.div_euclid(per))
            .ok()
            .map(Filetime)
    }

    /// Knuth's MMIX generator: enough to spread test values.
    struct Lcg(u64);

    impl Lcg {
        fn next(&mut self) -> u64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            self.0 ^ self.0 >> 32
        }

        /// Values of every magnitude, and the extremes.
        fn value(&mut self) -> i64 {
            match self.next() % 16 {
                0 => i64::MIN,
                1 => i64::MAX,
                2 => 0,
                _ => (self.next() as i64) >> (self.next() % 64),
            }
        }
    }

    #[test]
    fn agrees_with_the_definition() {
        let mut random = Lcg(20);
        let mut answered = 0;
        for round in 0..400_000u64 {
            let common = [
                1,
                3,
                2_109_960,
                1_818_300,
                3_579_545,
                10_000_000,
                14_318_180,
                24_000_000,
                2_533_194_000,
                i64::MAX,
            ];
            let frequency = if round % 3 == 0 {
                random.value().checked_abs().unwrap_or(7).max(1)
            } else {
                common[(random.next() % common.len() as u64) as usize]
            };
            let clock_type = 1 + 2 * (random.next() % 2);
            let (start_time, reference) = (random.value(), random.value());
            let parameters = ClockParameters {
                clock_type,
                start_time,
                reference,
                frequency,
                cpu_mhz: frequency as u64,
            };
            let clock = Clock::new(parameters);
            assert_eq!(clock.problem(), None);
            let units = if clock_type == 1 { 10_000_000 } else { 10 };
            for raw in [random.value(), reference.wrapping_add(random.value() >> 20), reference] {
                let expected = exact(&parameters, units, frequency.into(), raw);
                assert_eq!(clock.to_filetime(raw), expected, "{parameters:?} {raw}");
                answered += u32::from(expected.is_some());
            }
        }
        // Both outcomes must have been tried in numbers.
        assert!((400_000..1_190_000).contains(&answered), "{answered}");
    }

    /// Values of one Windows 7 trace, read by an independent program.
    const WINDOWS_7: ClockParameters = ClockParameters {
        clock_type: 1,
        start_time: 129_328_528_696_596_362,
        reference: 178_048_845_225,
        frequency: 2_109_960,
        cpu_mhz: 2160,
    };

    #[test]
    fn real_performance_counter() {
        let clock = Clock::new(WINDOWS_7);
        assert_eq!(clock.kind(), ClockKind::PerformanceCounter);
        assert!(!clock.is_assumed());
        assert_eq!(clock.to_filetime(178_048_845_225), Some(Filetime(129_328_528_696_596_362)));
        assert_eq!(clock.to_filetime(178_048_876_311), Some(Filetime(129_328_528_696_743_691)));
        assert_eq!(clock.to_filetime(178_048_877_464), Some(Filetime(129_328_528_696_749_156)));
        assert_eq!(
            clock.to_filetime(178_048_877_464).unwrap().to_string(),
            "2010-10-29T19:07:49.6749156Z"
        );
    }

    #[test]
    fn stamps_before_the_reference_round_down() {
        let clock = Clock::new(WINDOWS_7);
        // 1 tick is 4.74 units: -4.74 rounds to -5, not to -4.
        assert_eq!(clock.to_filetime(178_048_845_224), Some(Filetime(129_328_528_696_596_357)));
    }

    #[test]
    fn system_time_is_taken_as_it_is() {
        let clock = Clock::new(ClockParameters {
            clock_type: 2,
            frequency: 0,
            ..WINDOWS_7
        });
        assert_eq!(clock.kind(), ClockKind::SystemTime);
        assert_eq!(clock.problem(), None);
        for raw in [i64::MIN, -1, 0, 132_264_173_104_203_138, i64::MAX] {
            assert_eq!(clock.to_filetime(raw), Some(Filetime(raw)));
        }
    }

    #[test]
    fn cpu_cycles_go_by_the_nominal_speed() {
        let clock = Clock::new(ClockParameters {
            clock_type: 3,
            ..WINDOWS_7
        });
        assert_eq!(clock.kind().name(), "CPU cycle counter");
        assert_eq!(
            clock.to_filetime(WINDOWS_7.reference + 2160),
            Some(Filetime(WINDOWS_7.start_time + 10))
        );
    }

    #[test]
    fn type_0_is_judged_by_the_reference() {
        let clock = Clock::new(ClockParameters {
            clock_type: 0,
            ..WINDOWS_7
        });
        assert!(clock.is_assumed());
        assert_eq!(clock.kind(), ClockKind::PerformanceCounter);
        assert_eq!(clock.to_filetime(178_048_876_311), Some(Filetime(129_328_528_696_743_691)));
        let near = WINDOWS_7.start_time + DAY as i64;
        let system = ClockParameters {
            clock_type: 0,
            reference: near,
            ..WINDOWS_7
        };
        assert_eq!(Clock::new(system).kind(), ClockKind::SystemTime);
        assert_eq!(
            Clock::new(ClockParameters {
                reference: near + 1,
                ..system
            })
            .kind(),
            ClockKind::PerformanceCounter
        );
        // No overflow between the ends of the range.
        let far = ClockParameters {
            start_time: i64::MIN,
            reference: i64::MAX,
            ..system
        };
        assert_eq!(Clock::new(far).kind(), ClockKind::PerformanceCounter);
    }

    #[test]
    fn impossible_parameters_are_a_problem_not_a_failure() {
        let broken = [
            (
                ClockParameters {
                    frequency: 0,
                    ..WINDOWS_7
                },
                "PerfFreq is 0",
            ),
            (
                ClockParameters {
                    frequency: -5,
                    ..WINDOWS_7
                },
                "PerfFreq is -5",
            ),
            (
                ClockParameters {
                    frequency: i64::MIN,
                    ..WINDOWS_7
                },
                "PerfFreq is -9223372036854775808",
            ),
            (
                ClockParameters {
                    clock_type: 3,
                    cpu_mhz: 0,
                    ..WINDOWS_7
                },
                "CpuSpeedInMHz is 0",
            ),
            (
                ClockParameters {
                    clock_type: 3,
                    cpu_mhz: u64::MAX,
                    ..WINDOWS_7
                },
                "CpuSpeedInMHz is 18446744073709551615",
            ),
            (
                ClockParameters {
                    clock_type: 4,
                    ..WINDOWS_7
                },
                "(ReservedFlags) is 4",
            ),
            (
                ClockParameters {
                    clock_type: u64::MAX,
                    ..WINDOWS_7
                },
                "(ReservedFlags) is 18446744073709551615",
            ),
        ];
        for (parameters, text) in broken {
            let clock = Clock::new(parameters);
            assert!(clock.problem().unwrap().contains(text));
            assert_eq!(clock.to_filetime(WINDOWS_7.reference), None);
        }
    }

    #[test]
    fn out_of_range_is_none() {
        let clock = Clock::new(ClockParameters {
            frequency: 1,
            ..WINDOWS_7
        });
        assert_eq!(clock.to_filetime(i64::MAX), None);
        assert_eq!(clock.to_filetime(i64::MIN), None);
        assert_eq!(clock.parameters().frequency, 1);
    }
}
