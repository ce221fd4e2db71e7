//! `bench-events`: plays one workload of `packages/reliable/bench` on `dream-net`, a window of time for each line on stdin,
//! and tells what a unit of it cost.

mod connection;
mod direct;
mod fixture;
mod scale;
mod stopwatch;
mod wire;

use crate::args::Args;
use crate::lines::emit;
use crate::Outcome;
use serde_json::json;
use std::io::BufRead;
use std::time::{Duration, Instant};
use stopwatch::Stopwatch;

/// Something to measure. It panics when the work is done wrong.
trait Workload {
    /// Plays a while, timing with the stopwatch what belongs to the measurement. Returns how many units that were.
    fn play(&mut self, watch: &mut Stopwatch) -> u64;

    /// A figure that any implementation must agree on once [`play`](Self::play) has returned for the first time.
    fn work(&self) -> Option<u64> {
        None
    }
}

pub fn run(args: &Args) -> Outcome {
    let window = Duration::from_millis(args.value_or("milliseconds", 50)?);
    let name = args.text("case")?;
    let mut workload = workload(name)?;
    let mut watch = Stopwatch::new();
    workload.play(&mut watch);
    let work = workload.work();
    emit(json!({ "event": "ready", "case": name, "work": work }));
    for line in std::io::stdin().lock().lines() {
        line?;
        let deadline = Instant::now() + window;
        let mut units = 0;
        watch.reset();
        while units == 0 || Instant::now() < deadline {
            units += workload.play(&mut watch);
        }
        let nanoseconds = watch.nanoseconds() / units as f64;
        emit(json!({ "event": "measured", "units": units, "nanosecondsPerUnit": nanoseconds }));
    }
    Ok(())
}

fn workload(name: &str) -> Result<Box<dyn Workload>, Box<dyn std::error::Error>> {
    let words: Vec<&str> = name.split('/').collect();
    Ok(match words[..] {
        ["wire", "encode", class, shape] => Box::new(wire::Encode::new(class.parse()?, shape.parse()?)),
        ["wire", "decode", class, shape] => Box::new(wire::Decode::new(class.parse()?, shape.parse()?)),
        ["connection", "send", class, size] => Box::new(connection::Send::new(class.parse()?, size.parse()?)),
        ["connection", "poll-into", size] => Box::new(connection::PollInto::new(size.parse()?)),
        ["connection", "pack", class, size] => Box::new(connection::Pack::new(class.parse()?, size.parse()?)),
        ["connection", "direct", class, size] => Box::new(connection::Frame::new(class.parse()?, size.parse()?)),
        ["connection", "fragmented"] => Box::new(connection::Frame::fragmented()),
        ["connection", "lossy", percent] => Box::new(connection::Lossy::new(percent.parse()?)),
        ["connection", "idle", "update"] => Box::new(connection::IdleUpdate::new()),
        ["connection", "idle", "frame"] => Box::new(connection::IdleFrame::new()),
        ["connection", "reliable-update", history] => Box::new(connection::ReliableUpdate::new(history.parse()?)),
        ["scale", "frame", peers] => Box::new(scale::Traffic::new(peers.parse()?)),
        ["scale", "idle", peers] => Box::new(scale::Idle::new(peers.parse()?)),
        ["scale", "partial-poll", keep] => Box::new(scale::PartialPoll::new(keep.parse()?)),
        _ => return Err(format!("--case: there is no workload {name}").into()),
    })
}
