//! Where the nodes of a composed schema were written.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, Place, Target};

/// Places of a composed schema that hold what stands elsewhere in the files, with the place where it stands.
///
/// A thing that an overlay replaces or adds to keeps its place in the base, so that its Rust module and its order stay. All work on
/// the composed schema uses such places; what is shown to people is turned back with [`Origins::written`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origins {
    moved: BTreeMap<Place, Place>,
    /// Layer of each file: 0 for the innermost base.
    layers: Vec<usize>,
}

impl Origins {
    /// Nothing moved.
    pub(super) fn new(layers: Vec<usize>) -> Self {
        Self {
            moved: BTreeMap::new(),
            layers,
        }
    }

    /// The place in the files at which a node was written.
    pub fn written(&self, place: &Place) -> Place {
        if self.moved.is_empty() {
            return place.clone();
        }
        let mut outer = place.clone();
        let mut inner = Vec::new();
        loop {
            if let Some(written) = self.moved.get(&outer) {
                let mut written = written.clone();
                written.steps.extend(inner.into_iter().rev());
                return written;
            }
            match outer.steps.pop() {
                Some(step) => inner.push(step),
                None => return place.clone(),
            }
        }
    }

    /// Layer of the file at which a node was written: 0 for the innermost base.
    pub fn layer(&self, place: &Place) -> usize {
        let file = self.written(place).file;
        self.layers.get(file).copied().unwrap_or_default()
    }

    /// Notes that all of the node at `place` was written at `written`.
    pub(super) fn put(&mut self, place: Place, written: Place) {
        let within: Vec<Place> = self
            .moved
            .range(place.clone()..)
            .map(|(inner, _)| inner)
            .take_while(|inner| inner.is_within(&place))
            .cloned()
            .collect();
        for inner in within {
            self.moved.remove(&inner);
        }
        if self.written(&place) != written {
            self.moved.insert(place, written);
        }
    }

    /// Points the labels of a problem to where their nodes were written.
    pub(crate) fn show(&self, problem: &mut Diagnostic) {
        for label in &mut problem.labels {
            match &mut label.target {
                Target::Node(place) | Target::Key(place) | Target::Part { place, .. } => *place = self.written(place),
                Target::Byte { .. } | Target::Path(_) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_move_counts() {
        let slot = Place::file(0).key("flags").index(2);
        let overlay = Place::file(1).key("flags").index(0);
        let part = Place::file(2).key("extends").key("flags").index(0);
        let mut origins = Origins::new(vec![0, 1, 2]);
        assert_eq!(origins.written(&slot.key("name")), slot.key("name"));
        origins.put(slot.clone(), overlay.clone());
        origins.put(slot.key("bits").index(3), part.key("bits").index(0));
        assert_eq!(origins.written(&slot.key("name")), overlay.key("name"));
        let bit = slot.key("bits").index(3);
        assert_eq!(origins.written(&bit.key("value")), part.key("bits").index(0).key("value"));
        assert_eq!((origins.layer(&slot), origins.layer(&bit)), (1, 2));
        let neighbour = Place::file(0).key("flags").index(20);
        assert_eq!(origins.written(&neighbour), neighbour);
        // What replaces the whole takes its parts along.
        origins.put(slot.clone(), overlay.clone());
        assert_eq!(origins.written(&bit), overlay.key("bits").index(3));
    }
}
