//! Threads that render batches in turn.

use std::io;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use super::batch::{Batch, Batches};
use super::write::Writer;

/// Batches that a thread is ahead of the writer.
const AHEAD: usize = 2;

/// Writes all batches. Every thread walks all events, since that costs little, and renders each `jobs`-th batch; so they need not
/// tell each other where a batch begins, and the output is the same for any number of them.
///
/// # Errors
/// If the output cannot be written, or no thread be started.
pub(super) fn run<'t>(jobs: usize, writer: &mut Writer<'_, '_>, batches: &(dyn Fn() -> Batches<'t> + Sync)) -> io::Result<()> {
    writer.begin()?;
    if jobs <= 1 {
        let (mut batches, mut batch) = (batches(), Batch::default());
        loop {
            batches.next(true, &mut batch)?;
            if writer.take(&mut batch)?.is_break() {
                break;
            }
        }
    } else {
        thread::scope(|scope| -> io::Result<()> {
            let mut receivers = Vec::new();
            for number in 0..jobs {
                let (sender, receiver) = sync_channel(AHEAD);
                thread::Builder::new().spawn_scoped(scope, move || work(number, jobs, batches(), &sender))?;
                receivers.push(receiver);
            }
            // On any way out the receivers are dropped, and with that the threads end.
            collect(&receivers, writer)
        })?;
    }
    writer.end()
}

fn collect(receivers: &[Receiver<io::Result<Batch>>], writer: &mut Writer<'_, '_>) -> io::Result<()> {
    for receiver in receivers.iter().cycle() {
        let batch = receiver
            .recv()
            .map_err(|_| io::Error::other("a thread ended before its work was done"))?;
        if let ControlFlow::Break(()) = writer.take(&mut batch?)? {
            break;
        }
    }
    Ok(())
}

/// Renders the batches with the numbers `number`, `number + jobs` and so on.
fn work(number: usize, jobs: usize, mut batches: Batches<'_>, sender: &SyncSender<io::Result<Batch>>) {
    let mut batch = Batch::default();
    for turn in (0..jobs).cycle() {
        let is_mine = turn == number;
        let result = batches.next(is_mine, &mut batch);
        let is_end = batch.is_last || result.is_err();
        if is_mine || result.is_err() {
            // The next batch is about as long.
            let next = Batch {
                bytes: Vec::with_capacity(batch.bytes.len()),
                ..Batch::default()
            };
            let done = std::mem::replace(&mut batch, next);
            // The writer has all it wants, or cannot write.
            if sender.send(result.map(|()| done)).is_err() {
                break;
            }
        }
        if is_end {
            break;
        }
    }
}
