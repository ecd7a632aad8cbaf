//! From something that the command line names to the traces in it: through compression, archives, and archives in those.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

use winetl::{Error, TraceFile};

use super::cab::Cab;
use super::container::{Container, HEAD, peel, phrase};
use super::expand::Plan;
use super::member::{NAMED, choose, is_container_name, is_trace_name};
use super::spool::{Budget, Spooled, spool};
use super::zip::Zip;
use super::{Label, Unpacked, io_text, read_error};

/// What came up.
#[derive(Debug)]
pub(super) enum Step {
    Trace {
        label: Label,
        /// Nothing if only names are wanted.
        unpacked: Option<Unpacked>,
        /// It is a member of an archive that was not named by itself.
        member: bool,
    },
    Unusable(String, String),
    Damaged(String, String),
    Note(String, String),
}

/// One of the things that the command line names, partly read.
#[derive(Debug)]
pub(super) struct Walk {
    /// Archives that are open, the outermost first.
    levels: Vec<Level>,
    steps: VecDeque<Step>,
    budget: Budget,
    /// It was found in a folder: nobody said that there is a trace in it.
    found: bool,
    /// Members are not unpacked.
    names_only: bool,
}

/// An open archive.
#[derive(Debug)]
struct Level {
    label: Label,
    /// Name in the archive around it.
    member: String,
    archive: Archive,
    /// What it lies in, with itself.
    containers: Vec<Container>,
    members: std::vec::IntoIter<usize>,
    names: Vec<String>,
    within: Option<String>,
    /// One of its members was named.
    exact: bool,
    /// Members that are no traces: the first few, and how many.
    passed: Vec<String>,
    passed_count: usize,
    /// Members that were traces, or should have been.
    told: usize,
}

#[derive(Debug)]
enum Archive {
    Zip(Zip),
    Cab(Cab),
}

/// What a member is.
enum Member {
    /// To be read; only its name is wanted if there is no file.
    Trace(Option<Unpacked>),
    /// With what it lies in, itself included, and what was lost of it.
    Archive(Container, File, Vec<Container>, Option<String>),
    /// Nothing to read.
    Other,
}

impl Walk {
    /// Opens a file or a stream.
    pub(super) fn begin(plan: Plan, max_unpacked: Option<u64>, stdin: &mut dyn Read) -> Self {
        let mut walk = Self {
            levels: Vec::new(),
            steps: VecDeque::new(),
            budget: Budget::new(max_unpacked),
            found: plan.found,
            names_only: false,
        };
        let label = Label::of(&plan.path);
        let result = match plan.problem {
            Some(problem) => Err(problem),
            None if plan.is_stdin() => walk.stream(Box::new(stdin), &label, plan.choice),
            None => walk.file(&plan.path, &label, plan.choice),
        };
        if let Err(problem) = result {
            walk.steps.push_back(Step::Unusable(label.name, problem));
        }
        walk
    }

    /// From now on, unpacks only what is needed to know the names of the traces.
    pub(super) fn names_only(&mut self) {
        self.names_only = true;
    }

    pub(super) fn next(&mut self) -> Option<Step> {
        loop {
            if let Some(step) = self.steps.pop_front() {
                return Some(step);
            }
            let level = self.levels.last_mut()?;
            match level.members.next() {
                Some(_) if self.budget.is_spent() => self.stop(),
                Some(index) => self.member(index),
                None => self.leave(),
            }
        }
    }

    fn file(&mut self, path: &Path, label: &Label, choice: Option<String>) -> Result<(), String> {
        let cannot_open = |error| format!("cannot open: {}", io_text(&error));
        let mut file = File::open(path).map_err(cannot_open)?;
        let metadata = file.metadata().map_err(cannot_open)?;
        if !metadata.is_file() {
            return self.stream(Box::new(file), label, choice);
        }
        let mut head = Vec::new();
        let read = (&mut file).take(16).read_to_end(&mut head);
        read.and_then(|_| file.rewind()).map_err(|error| read_error(&error))?;
        self.budget.set_packed(metadata.len());
        match Container::recognise(&head) {
            None if choice.is_some() => Err(no_archive()),
            None => {
                let unpacked = Unpacked {
                    file,
                    containers: Vec::new(),
                    damage: None,
                };
                self.trace(label.clone(), Some(unpacked));
                Ok(())
            }
            Some(archive) if archive.is_archive() => self.enter(archive, file, label.clone(), "", vec![archive], choice),
            Some(_) => self.packed(Box::new(file), label, choice),
        }
    }

    /// Something that can be read once, from the beginning to the end.
    fn stream(&mut self, stream: Box<dyn Read + '_>, label: &Label, choice: Option<String>) -> Result<(), String> {
        let stream = self.budget.count(stream);
        self.packed(stream, label, choice)
    }

    fn packed(&mut self, stream: Box<dyn Read + '_>, label: &Label, choice: Option<String>) -> Result<(), String> {
        let peeled = peel(stream, &[])?;
        if peeled.archive.is_none() && choice.is_some() {
            return Err(no_archive());
        }
        if self.found && peeled.archive.is_none() && !is_trace_name(&label.name) && !is_trace(&peeled.head) {
            let text = "is no trace, though it may be one by its name: passed over";
            self.steps.push_back(Step::Note(label.name.clone(), text.to_owned()));
            return Ok(());
        }
        let (archive, mut containers) = (peeled.archive, peeled.containers.clone());
        let budget = (!containers.is_empty()).then_some(&mut self.budget);
        let spooled = spool(peeled, budget)?;
        let damage = spooled.damage(&containers);
        let Some(archive) = archive else {
            let unpacked = unpacked(spooled, containers);
            self.trace(label.clone(), Some(unpacked));
            return Ok(());
        };
        if let Some(damage) = damage {
            self.steps.push_back(Step::Damaged(label.name.clone(), damage));
        }
        containers.push(archive);
        self.enter(archive, spooled.file, label.clone(), "", containers, choice)
    }

    fn trace(&mut self, label: Label, unpacked: Option<Unpacked>) {
        let member = self.levels.iter().any(|level| !level.exact);
        self.steps.push_back(Step::Trace { label, unpacked, member });
    }

    /// Looks into an archive.
    fn enter(
        &mut self,
        kind: Container,
        file: File,
        label: Label,
        member: &str,
        containers: Vec<Container>,
        choice: Option<String>,
    ) -> Result<(), String> {
        let archive = match kind {
            Container::Cab => Archive::Cab(Cab::open(file)?),
            _ => Archive::Zip(Zip::open(file)?),
        };
        let (names, problem) = match &archive {
            Archive::Zip(zip) => (zip.names(), zip.problem.clone()),
            Archive::Cab(cab) => (cab.names(), cab.problem.clone()),
        };
        let (members, within, exact) = match choice {
            None => ((0..names.len()).collect(), None, false),
            Some(choice) => {
                let chosen = choose(&names, &choice)?;
                let one = chosen.exact && chosen.members.len() == 1;
                (chosen.members, chosen.within, one)
            }
        };
        if let Some(problem) = problem {
            self.steps.push_back(Step::Damaged(label.name.clone(), problem));
        }
        self.levels.push(Level {
            label,
            member: member.to_owned(),
            archive,
            containers,
            members: members.into_iter(),
            names,
            within,
            exact,
            passed: Vec::new(),
            passed_count: 0,
            told: 0,
        });
        Ok(())
    }

    /// Reads a member of the innermost archive.
    fn member(&mut self, index: usize) {
        let Some(level) = self.levels.last_mut() else { return };
        let name = level.names.get(index).cloned().unwrap_or_default();
        if matches!(&level.archive, Archive::Zip(zip) if zip.is_folder(index)) && !level.exact {
            return;
        }
        let label = level.label.member(&name);
        let wanted = level.exact || is_trace_name(&name);
        let (within, containers) = (level.within.clone(), level.containers.clone());
        let (budget, names_only) = (&mut self.budget, self.names_only);
        let look = Look {
            containers: &containers,
            wanted,
            names_only,
        };
        let member = match &mut level.archive {
            Archive::Zip(zip) => zip.read(index, |bytes| look.at(bytes, budget, true)),
            // What a cabinet has unpacked is counted already.
            Archive::Cab(cab) => cab.read(index, &containers, budget, |bytes, budget| look.at(bytes, budget, false)),
        };
        match member.and_then(|member| member) {
            Ok(Member::Trace(_)) if within.is_some() => self.unusable(label, no_archive()),
            Ok(Member::Trace(file)) => {
                level.told += 1;
                self.trace(label, file);
            }
            Ok(Member::Archive(kind, file, containers, damage)) => {
                if let Some(damage) = damage {
                    self.steps.push_back(Step::Damaged(label.name.clone(), damage));
                }
                let result = self.enter(kind, file, label.clone(), &name, containers, within);
                match result {
                    Ok(()) => {}
                    Err(problem) if wanted || is_container_name(&name) => self.unusable(label, problem),
                    Err(_) => self.pass(name),
                }
            }
            Ok(Member::Other) if within.is_some() => self.unusable(label, no_archive()),
            Ok(Member::Other) => self.pass(name),
            Err(problem) if wanted || is_container_name(&name) => self.unusable(label, problem),
            Err(_) => self.pass(name),
        }
    }

    fn unusable(&mut self, label: Label, problem: String) {
        if let Some(level) = self.levels.last_mut() {
            level.told += 1;
        }
        self.steps.push_back(Step::Unusable(label.name, problem));
    }

    fn pass(&mut self, name: String) {
        if let Some(level) = self.levels.last_mut() {
            level.passed_count += 1;
            if level.passed.len() < NAMED {
                level.passed.push(name);
            }
        }
    }

    /// Leaves the innermost archive, and says what was not read.
    fn leave(&mut self) {
        let Some(level) = self.levels.pop() else { return };
        let more = level.passed_count - level.passed.len();
        let mut passed = level.passed.join(", ");
        if more > 0 {
            passed.push_str(&format!(", and {more} more"));
        }
        match self.levels.last_mut() {
            Some(outer) if level.told == 0 && !outer.exact => return self.pass(level.member),
            Some(outer) => outer.told += level.told,
            None => {}
        }
        let phrase = phrase(
            level
                .containers
                .get(level.containers.len().saturating_sub(1)..)
                .unwrap_or_default(),
        );
        if level.told > 0 {
            if level.passed_count > 0 {
                let text = match level.passed_count {
                    1 => format!("a member of the {phrase} is no trace and was passed over: {passed}"),
                    count => format!("{count} members of the {phrase} are no traces and were passed over: {passed}"),
                };
                self.steps.push_back(Step::Note(level.label.name, text));
            }
            return;
        }
        let text = match level.passed_count {
            0 => format!("the {phrase} is empty"),
            _ => format!("the {phrase} holds no trace: none of its members begins as one does ({passed})"),
        };
        self.steps.push_back(if self.found {
            Step::Note(level.label.name, text)
        } else {
            Step::Unusable(level.label.name, text)
        });
    }

    /// Gives up: no more may be unpacked.
    fn stop(&mut self) {
        if let Some(outermost) = self.levels.first() {
            let text = format!(
                "the limit of {} unpacked bytes is reached: the other members were not read; name them one by one, or raise the limit \
                 with --max-unpacked",
                self.budget.limit()
            );
            self.steps.push_back(Step::Unusable(outermost.label.name.clone(), text));
        }
        self.levels.clear();
    }
}

fn no_archive() -> String {
    "is no archive, so nothing can be chosen in it: name it without what follows the `!`".to_owned()
}

/// How a member is looked at.
struct Look<'a> {
    containers: &'a [Container],
    /// It is to be read also if it does not begin as a trace does.
    wanted: bool,
    names_only: bool,
}

impl Look<'_> {
    /// Finds out what a member is, and unpacks it if it is to be read.
    fn at(&self, bytes: Box<dyn Read + '_>, budget: &mut Budget, counted: bool) -> Result<Member, String> {
        let peeled = peel(bytes, self.containers)?;
        let (archive, mut containers) = (peeled.archive, peeled.containers.clone());
        if archive.is_none() {
            if !self.wanted && !is_trace(&peeled.head) {
                return Ok(Member::Other);
            }
            if self.names_only {
                return Ok(Member::Trace(None));
            }
        }
        let counted = counted || containers.len() > self.containers.len();
        let spooled = spool(peeled, counted.then_some(budget))?;
        Ok(match archive {
            None => Member::Trace(Some(unpacked(spooled, containers))),
            Some(archive) => {
                let damage = spooled.damage(&containers);
                containers.push(archive);
                Member::Archive(archive, spooled.file, containers, damage)
            }
        })
    }
}

fn unpacked(spooled: Spooled, containers: Vec<Container>) -> Unpacked {
    Unpacked {
        damage: spooled.damage(&containers),
        file: spooled.file,
        containers,
    }
}

/// Whether it begins as a trace does.
fn is_trace(head: &[u8]) -> bool {
    let head = head.get(..HEAD).unwrap_or(head);
    !matches!(TraceFile::from_bytes(head), Err(Error::NotATrace { .. } | Error::Empty))
}
