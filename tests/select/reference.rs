//! What the options must choose, said once more, slowly and without the program: from the lines of a whole dump.

use std::cmp::Ordering;

use crate::json::Json;

/// An option with its value, and what it must choose.
pub(crate) struct Wanted {
    pub(crate) option: &'static str,
    pub(crate) value: String,
    pub(crate) fits: Fits,
}

pub(crate) type Fits = Box<dyn Fn(&Json) -> bool>;

/// Whether an event is chosen: all options fit, of each at least one of its values.
pub(crate) fn is_chosen(wanted: &[Wanted], event: &Json) -> bool {
    wanted
        .iter()
        .all(|one| wanted.iter().any(|other| other.option == one.option && (other.fits)(event)))
}

/// A name with * and ? against another.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    let lower = |text: &str| text.to_ascii_lowercase().chars().collect::<Vec<_>>();
    fn at(pattern: &[char], name: &[char]) -> bool {
        match (pattern, name) {
            ([], []) => true,
            (['*', rest @ ..], _) => (0..=name.len()).any(|skip| at(rest, &name[skip..])),
            (['?', pattern @ ..], [_, name @ ..]) => at(pattern, name),
            ([a, pattern @ ..], [b, name @ ..]) => a == b && at(pattern, name),
            _ => false,
        }
    }
    at(&lower(pattern), &lower(name))
}

fn key(name: &'static str, fits: impl Fn(&Json) -> bool + 'static) -> Fits {
    Box::new(move |event| fits(event.get(name)))
}

fn number_in(name: &'static str, list: Vec<(u64, u64)>) -> Fits {
    key(name, move |value| {
        value
            .u64()
            .is_some_and(|number| list.iter().any(|(first, last)| *first <= number && number <= *last))
    })
}

/// What a line can be looked up by, and small changes of it.
pub(crate) struct Pool<'p> {
    pub(crate) events: &'p [Json],
    pub(crate) seed: u64,
}

/// The options that a choice is made of.
pub(crate) const OPTIONS: [&str; 16] = [
    "--provider",
    "--event",
    "--id",
    "--opcode",
    "--level",
    "--keyword",
    "--pid",
    "--tid",
    "--process",
    "--cpu",
    "--header-type",
    "--from",
    "--to",
    "--activity",
    "--match",
    "--where",
];

impl Pool<'_> {
    /// One of `count` choices.
    fn pick(&mut self, count: usize) -> usize {
        // The constants of splitmix64.
        self.seed = self.seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.seed ^ (self.seed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % count.max(1) as u64) as usize
    }

    /// Something that is not null in one of the events.
    fn some<T>(&mut self, of: impl Fn(&Json) -> Option<T>) -> Option<T> {
        let start = self.pick(self.events.len());
        let (before, from) = self.events.split_at(start);
        from.iter().chain(before).find_map(of)
    }

    /// A name in another case, or with wildcards for a part of it; `None` if it has characters of wildcards itself.
    fn name(&mut self, name: &str) -> Option<String> {
        if name.is_empty() || name.starts_with('-') || name.contains(['*', '?', '[', '{', '\\', '\0']) || !name.is_ascii() {
            return None;
        }
        let cut = self.pick(name.len());
        Some(match self.pick(6) {
            0 => name.to_uppercase(),
            1 => format!("{}*", &name[..cut]),
            2 => format!("*{}", &name[cut..]),
            3 => format!("{}?{}", &name[..cut], &name[cut + 1..]),
            4 => format!("{}x", &name[..cut]),
            _ => name.to_owned(),
        })
    }

    /// Numbers around one that is there, as a list, with what they mean.
    fn numbers(&mut self, number: u64) -> (String, Vec<(u64, u64)>) {
        let up = number.saturating_add(self.pick(20) as u64);
        match self.pick(4) {
            0 => (format!("{number:#x}"), vec![(number, number)]),
            1 => (format!("{number}-{up}"), vec![(number, up)]),
            2 => (
                format!("1,{number}-{up},{up:#X}").replace("0X", "0x"),
                vec![(1, 1), (number, up)],
            ),
            _ => (number.to_string(), vec![(number, number)]),
        }
    }

    /// An option with a value that has to do with an event of the file; `None` if no event has what it needs.
    pub(crate) fn wanted(&mut self, option: &'static str) -> Option<Wanted> {
        let (value, fits): (String, Fits) = match option {
            "--provider" => self.provider()?,
            "--event" => self.event()?,
            "--id" => self.in_list("id")?,
            "--pid" => self.in_list("pid")?,
            "--tid" => self.in_list("tid")?,
            "--cpu" => self.in_list("cpu")?,
            "--opcode" => self.opcode()?,
            "--level" => self.level()?,
            "--keyword" => self.keyword()?,
            "--process" => {
                let name = self.some(|event| event.get("process").str().map(str::to_owned))?;
                let value = self.name(&name)?;
                let pattern = value.clone();
                (
                    value,
                    key("process", move |name| name.str().is_some_and(|name| matches(&pattern, name))),
                )
            }
            "--header-type" => {
                let name = self.some(|event| event.get("header_type").str().map(str::to_owned))?;
                let short = |name: &str| name.strip_prefix("TRACE_HEADER_TYPE_").unwrap_or(name).to_owned();
                let name = if self.pick(2) == 0 { short(&name) } else { name };
                let value = self.name(&name)?;
                let pattern = value.clone();
                let fits = move |name: &Json| {
                    let name = name.str().unwrap_or_default();
                    matches(&pattern, name) || matches(&pattern, &short(name))
                };
                (value, key("header_type", fits))
            }
            "--from" | "--to" => self.time(option == "--from")?,
            "--activity" => self.activity()?,
            "--match" => {
                let part = self.part()?;
                let value = part.clone();
                let fits = move |event: &Json| {
                    let leaves = event.get("fields").leaves();
                    leaves
                        .iter()
                        .any(|(_, leaf)| leaf.text().is_some_and(|text| text.contains(&part)))
                };
                (value, Box::new(fits))
            }
            "--where" => self.clause()?,
            _ => return None,
        };
        Some(Wanted { option, value, fits })
    }

    fn in_list(&mut self, name: &'static str) -> Option<(String, Fits)> {
        let number = self.some(|event| event.get(name).u64())?;
        let (value, list) = self.numbers(number);
        Some((value, number_in(name, list)))
    }

    fn provider(&mut self) -> Option<(String, Fits)> {
        let text = |name: &'static str| move |event: &Json| event.get(name).str().map(str::to_owned);
        if self.pick(3) == 0 {
            let id = self.some(text("provider_id"))?;
            let value = match self.pick(3) {
                0 => format!("{{{}}}", id.to_uppercase()),
                1 => format!("{}*", &id[..8]),
                _ => id.clone(),
            };
            let start = if value.ends_with('*') { id[..8].to_owned() } else { id };
            let fits = move |event: &Json| {
                let is = |name: &str| event.get(name).str().is_some_and(|id| id.starts_with(&start));
                is("provider_id") || is("provider")
            };
            return Some((value, Box::new(fits)));
        }
        let name = self.some(text("provider"))?;
        let value = self.name(&name)?;
        let pattern = value.clone();
        let fits = move |event: &Json| {
            let id = event.get("provider_id").str().filter(|_| pattern.contains(['*', '?']));
            [event.get("provider").str(), id]
                .into_iter()
                .flatten()
                .any(|name| matches(&pattern, name))
        };
        Some((value, Box::new(fits)))
    }

    fn event(&mut self) -> Option<(String, Fits)> {
        if self.pick(3) == 0 {
            // The whole label of a line of text.
            let label = self.some(|event| {
                let (provider, name) = (event.get("provider").str()?, event.get("event").str()?);
                let unknown = *event.get("class_id") == Json::Null;
                unknown.then(|| format!("{provider}/{name}"))
            })?;
            let wanted = label.clone();
            let fits = move |event: &Json| {
                let (Some(provider), Some(name)) = (event.get("provider").str(), event.get("event").str()) else {
                    return false;
                };
                let label = format!("{provider}/{name}");
                let id = event.get("id").u64().map(|id| format!("{label}/{id}"));
                [Some(label.as_str()), id.as_deref(), Some(name)]
                    .into_iter()
                    .flatten()
                    .any(|label| label.eq_ignore_ascii_case(&wanted))
            };
            let plain = !label.starts_with("0x") && !label.contains(['*', '[', '{', '?', '\0']);
            return plain.then(|| (label, Box::new(fits) as Fits));
        }
        let name = self.some(|event| event.get("event").str().map(str::to_owned))?;
        let value = self.name(&name).filter(|name| !name.starts_with("0x"))?;
        let pattern = value.clone();
        let fits = move |event: &Json| {
            let name = event.get("event").str();
            let provider = event.get("provider").str().unwrap_or_default();
            let label = name.map(|name| format!("{provider}/{name}"));
            name.is_some_and(|name| matches(&pattern, name)) || label.is_some_and(|label| label.eq_ignore_ascii_case(&pattern))
        };
        Some((value, Box::new(fits)))
    }

    fn opcode(&mut self) -> Option<(String, Fits)> {
        if self.pick(2) == 0 {
            return self.in_list("opcode");
        }
        let names = |event: &Json| {
            let known = event.get("event").str().filter(|_| *event.get("class_id") != Json::Null);
            let kind = known.and_then(|name| name.rsplit_once('/')).map(|(_, kind)| kind.to_owned());
            [event.get("names").get("opcode").text(), kind]
        };
        let name = self.some(|event| names(event).into_iter().flatten().next())?;
        let value = self
            .name(&name)
            .filter(|name| !name.starts_with(|c: char| c.is_ascii_digit()))?;
        let pattern = value.clone();
        let fits = move |event: &Json| names(event).iter().flatten().any(|name| matches(&pattern, name));
        Some((value, Box::new(fits)))
    }

    fn level(&mut self) -> Option<(String, Fits)> {
        let level = self.some(|event| event.get("level").u64())?;
        let words = ["critical", "Error", "warn", "info", "VERBOSE"];
        let at_most = |most: u64| number_in("level", vec![(1, most)]);
        Some(match (self.pick(3), words.get(level.wrapping_sub(1) as usize)) {
            (0, Some(word)) => ((*word).to_owned(), at_most(level)),
            (1, _) if level > 0 => (level.to_string(), at_most(level)),
            _ => (format!("{level}-{level},7"), number_in("level", vec![(level, level), (7, 7)])),
        })
    }

    fn keyword(&mut self) -> Option<(String, Fits)> {
        let mask = |event: &Json| u64::from_str_radix(event.get("keyword").str()?.strip_prefix("0x")?, 16).ok();
        let names = |event: &Json| match event.get("names").get("keywords") {
            Json::List(names) => names.iter().filter_map(Json::text).collect(),
            _ => Vec::new(),
        };
        if self.pick(2) == 0
            && let Some(name) = self.some(|event| names(event).pop())
        {
            let value = self
                .name(&name)
                .filter(|name| !name.starts_with(|c: char| c.is_ascii_digit()))?;
            let pattern = value.clone();
            let fits = move |event: &Json| names(event).iter().any(|name| matches(&pattern, name));
            return Some((value, Box::new(fits)));
        }
        let bits = self.some(|event| mask(event).filter(|mask| *mask != 0))?;
        let bits = bits & (u64::MAX >> self.pick(60)) | 1 << self.pick(64);
        let value = if self.pick(2) == 0 {
            bits.to_string()
        } else {
            format!("{bits:#x}")
        };
        Some((value, Box::new(move |event| mask(event).is_some_and(|mask| mask & bits != 0))))
    }

    fn time(&mut self, from: bool) -> Option<(String, Fits)> {
        let time = self.some(|event| event.get("time").str().map(str::to_owned))?;
        let value = match self.pick(3) {
            0 => time.trim_end_matches('Z').to_owned(),
            1 => time.replace('T', " "),
            _ => time.clone(),
        };
        // Times of one form are in the order of their texts.
        let fits = move |found: &Json| {
            found
                .str()
                .is_some_and(|found| if from { *found >= *time } else { *found <= *time })
        };
        Some((value, key("time", fits)))
    }

    fn activity(&mut self) -> Option<(String, Fits)> {
        let related = "EVENT_HEADER_EXT_TYPE_RELATED_ACTIVITYID";
        let activities = move |event: &Json| {
            let mut found = vec![event.get("header").get("ActivityId").text()];
            if let Json::List(items) = event.get("extended") {
                let related = items.iter().filter(|item| item.get("type").str() == Some(related));
                found.extend(related.map(|item| item.get("value").text()));
            }
            found.into_iter().flatten().collect::<Vec<_>>()
        };
        let guid = self.some(|event| activities(event).pop().filter(|text| text.len() == 36))?;
        let value = if self.pick(2) == 0 {
            guid.to_uppercase()
        } else {
            guid.clone()
        };
        Some((value, Box::new(move |event| activities(event).contains(&guid))))
    }

    /// Letters and digits in a value of a payload field.
    fn part(&mut self) -> Option<String> {
        let turn = self.pick(64);
        let text = self.some(|event| {
            let fields = event.get("fields");
            let leaves = fields.leaves();
            leaves.get(turn % leaves.len().max(1)).and_then(|(_, leaf)| leaf.text())
        })?;
        let parts = text.split(|c: char| !c.is_ascii_alphanumeric());
        let longest = parts.max_by_key(|part| part.len())?;
        let cut = self.pick(longest.len());
        longest.get(cut..).filter(|part| !part.is_empty()).map(str::to_owned)
    }

    fn clause(&mut self) -> Option<(String, Fits)> {
        let count = 1 + self.pick(2);
        let conditions: Option<Vec<(String, Fits)>> = (0..count).map(|_| self.condition()).collect();
        let (texts, fits): (Vec<_>, Vec<_>) = conditions?.into_iter().unzip();
        let both = [" && ", "&&"][self.pick(2)];
        Some((texts.join(both), Box::new(move |event| fits.iter().all(|fits| fits(event)))))
    }

    fn condition(&mut self) -> Option<(String, Fits)> {
        let turn = self.pick(1000);
        let place = ["fields", "fields", "header", ""][self.pick(4)];
        let (path, text) = self.some(|event| {
            let leaves = leaves(event, place);
            let (path, leaf) = leaves.get(turn % leaves.len().max(1))?;
            Some((path.clone(), leaf.text()?))
        })?;
        // All values that the path leads to, to know how they are written.
        let found: Vec<&Json> = self.events.iter().flat_map(|event| at(event, place, &path)).collect();
        let forms: Vec<Form> = found.iter().map(|leaf| Form::of(leaf)).collect();
        let form = forms.first().copied().filter(|form| forms.iter().all(|other| other == form));
        let value = match self.pick(3) {
            0 => found.get(self.pick(found.len())).and_then(|leaf| leaf.text())?,
            _ => text,
        };
        let operators: &[&str] = match form {
            Some(Form::Number | Form::Hex | Form::Time) => &["=", "==", "!=", "<", "<=", ">", ">=", "contains", "~"],
            Some(Form::Guid | Form::Text) => &["=", "!=", "contains", "~"],
            None => &["contains", "~"],
        };
        let operator = operators[self.pick(operators.len())];
        let value = match operator {
            "~" | "contains" => {
                let part = value
                    .split(|c: char| !c.is_ascii_alphanumeric())
                    .max_by_key(|part| part.len())?;
                Some(part.to_owned()).filter(|part| !part.is_empty())?
            }
            _ => value,
        };
        let mark = ["'", "\""].into_iter().find(|mark| !value.contains(*mark))?;
        let name = match (place, self.pick(2)) {
            ("header", _) => format!("header.{path}"),
            ("fields", _) if path.contains('\'') => return None,
            ("fields", _) if path.contains(|c: char| !c.is_alphanumeric() && !"._".contains(c)) => format!("'{path}'"),
            ("fields", 0) => format!("fields.{}", path.to_ascii_uppercase()),
            ("fields", _) if path.contains(|c: char| c.is_ascii_uppercase()) && !path.starts_with("header.") => path.clone(),
            ("fields", _) => format!("fields.{path}"),
            _ => path.clone(),
        };
        let condition = format!("{name} {operator} {mark}{value}{mark}");
        if condition.contains('\0') || condition.len() > 4000 || condition.chars().any(char::is_control) {
            return None;
        }
        let fits = move |event: &Json| {
            let found: Vec<String> = at(event, place, &path).iter().filter_map(|leaf| leaf.text()).collect();
            let lower = value.to_ascii_lowercase();
            let order = |text: &String| match form {
                Some(Form::Number | Form::Hex) => compare(text, &value),
                _ => text.to_ascii_lowercase().cmp(&lower),
            };
            match operator {
                "=" | "==" => found.iter().any(|text| order(text).is_eq()),
                "!=" => !found.is_empty() && !found.iter().any(|text| order(text).is_eq()),
                "<" => found.iter().any(|text| order(text).is_lt()),
                "<=" => found.iter().any(|text| order(text).is_le()),
                ">" => found.iter().any(|text| order(text).is_gt()),
                ">=" => found.iter().any(|text| order(text).is_ge()),
                "contains" => found.iter().any(|text| text.to_ascii_lowercase().contains(&lower)),
                _ => found.iter().any(|text| text.contains(&value)),
            }
        };
        Some((condition, Box::new(fits)))
    }
}

/// How all values of a field are written: only then the line tells what type they are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Number,
    Hex,
    Time,
    Guid,
    Text,
}

impl Form {
    fn of(leaf: &Json) -> Self {
        let text = match leaf {
            Json::Number(_) => return Self::Number,
            Json::Text(text) => text,
            _ => return Self::Text,
        };
        let hex = text
            .strip_prefix("0x")
            .is_some_and(|digits| u64::from_str_radix(digits, 16).is_ok());
        if hex {
            Self::Hex
        } else if text.len() == 28 && text.ends_with('Z') && text.as_bytes()[10] == b'T' {
            Self::Time
        } else if text.len() == 36 && text.matches('-').count() == 4 {
            Self::Guid
        } else {
            Self::Text
        }
    }
}

/// The order of two numbers.
fn compare(found: &str, wanted: &str) -> Ordering {
    let whole = |text: &str| match text.strip_prefix("0x") {
        Some(digits) => i128::from_str_radix(digits, 16).ok(),
        None => text.parse::<i128>().ok(),
    };
    let float = |text: &str| text.parse::<f64>().ok();
    if let (Some(found), Some(wanted)) = (whole(found), whole(wanted)) {
        return found.cmp(&wanted);
    }
    if let (Some(found), Some(wanted)) = (float(found), float(wanted)) {
        return found.total_cmp(&wanted);
    }
    found.to_ascii_lowercase().cmp(&wanted.to_ascii_lowercase())
}

/// The outermost keys that are no fields, no items and no names of their own.
fn is_plain_key(name: &str) -> bool {
    !matches!(name, "header" | "extended" | "fields" | "resolved" | "file")
}

fn leaves<'e>(event: &'e Json, place: &str) -> Vec<(String, &'e Json)> {
    match place {
        "" => event
            .leaves()
            .into_iter()
            .filter(|(path, _)| is_plain_key(path.split('.').next().unwrap_or_default()))
            .collect(),
        place => event.get(place).leaves(),
    }
}

fn at<'e>(event: &'e Json, place: &str, path: &str) -> Vec<&'e Json> {
    let leaves = leaves(event, place).into_iter();
    let same = |found: &str| {
        if place.is_empty() {
            found == path
        } else {
            found.eq_ignore_ascii_case(path)
        }
    };
    leaves.filter(|(found, _)| same(found)).map(|(_, leaf)| leaf).collect()
}
