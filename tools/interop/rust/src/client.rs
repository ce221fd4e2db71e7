//! `client`: a client that connects with the tokens it is given and exchanges payloads with an echo server.

use crate::args::{unhex, Args};
use crate::lines::{emit, Commands, Stopped};
use crate::payload::{payload, Tally, PAYLOADS};
use crate::peer::{ForeignClient, Peer};
use crate::Outcome;
use serde_json::json;
use std::time::{Duration, Instant};

/// Longest pause between two updates.
const TICK: Duration = Duration::from_millis(2);

pub fn run(args: &Args) -> Outcome {
    let seed: u32 = args.value("seed")?;
    let mut client = args.value::<Peer>("peer")?.client(args.value("bind")?)?;
    emit(json!({ "event": "ready" }));
    let commands = Commands::listen();
    let (mut frozen, mut status, mut payloads) = (false, client.status(), Vec::new());
    let mut exchange: Option<Exchange> = None;
    loop {
        match commands.next(TICK) {
            Err(Stopped) => return Ok(()),
            Ok(None) => {}
            Ok(Some(command)) => match command["command"].as_str() {
                Some("connect") => client.connect(&unhex(command["token"].as_str().unwrap_or_default())?)?,
                Some("exchange") => exchange = Some(Exchange::new(seed)),
                Some("disconnect") => client.disconnect(),
                Some("freeze") => frozen = true,
                Some("resume") => frozen = false,
                _ => return Err(format!("unknown command {command}").into()),
            },
        }
        if !frozen {
            client.update(&mut payloads);
        }
        if let Some(running) = &mut exchange {
            for bytes in payloads.drain(..) {
                running.tally.take(seed, &bytes);
            }
            if running.step(client.as_mut()) {
                let (
                    sent,
                    Tally {
                        received,
                        verified,
                        faults,
                        ..
                    },
                ) = (running.sent, &running.tally);
                emit(json!({
                    "event": "exchanged", "sent": sent, "received": received, "verified": verified, "faults": faults
                }));
                exchange = None;
            }
        }
        payloads.clear();
        let now = client.status();
        if now != status {
            status = now;
            let (slot, slots) = status.slot.unzip();
            emit(json!({ "event": "state", "state": status.state, "slot": slot, "slots": slots }));
        }
    }
}

/// Sends every payload until its echo is there. UDP may lose any of them, so whatever is missing for a while is sent again.
struct Exchange {
    seed: u32,
    tally: Tally,
    sent: usize,
    sent_at: Vec<Option<Instant>>,
}

impl Exchange {
    /// Payloads on their way at the same time.
    const WINDOW: usize = 16;
    const RESEND: Duration = Duration::from_millis(250);

    fn new(seed: u32) -> Self {
        Self {
            seed,
            tally: Tally::default(),
            sent: 0,
            sent_at: vec![None; PAYLOADS],
        }
    }

    /// Sends what is due. True once everything has come back, or something wrong has.
    fn step(&mut self, client: &mut dyn ForeignClient) -> bool {
        if self.tally.verified == PAYLOADS || !self.tally.faults.is_empty() {
            return true;
        }
        let now = Instant::now();
        let missing = (0..PAYLOADS).filter(|&index| !self.tally.has(index)).take(Self::WINDOW);
        for index in missing {
            if self.sent_at[index].is_none_or(|at| now - at > Self::RESEND) {
                self.sent_at[index] = Some(now);
                self.sent += 1;
                client.send(&payload(self.seed, index));
            }
        }
        false
    }
}
