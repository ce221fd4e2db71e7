//! `server`: a server that compares every payload with its pattern and echoes it.

use crate::args::{hex, Args};
use crate::lines::{emit, Commands, Stopped};
use crate::payload::Tally;
use crate::peer::{Peer, ServerEvent, ServerSetup};
use crate::Outcome;
use serde_json::{json, Value};
use std::time::Duration;

/// Longest pause between two updates.
const TICK: Duration = Duration::from_millis(2);

pub fn run(args: &Args) -> Outcome {
    let seed: u32 = args.value("seed")?;
    let mut server = args.value::<Peer>("peer")?.server(&ServerSetup {
        address: args.value("address")?,
        protocol_id: args.value("protocol-id")?,
        private_key: args.key("key")?,
        slots: args.value("slots")?,
    })?;
    emit(json!({ "event": "ready", "address": server.address().to_string() }));
    let commands = Commands::listen();
    let (mut frozen, mut tally, mut events) = (false, Tally::default(), Vec::new());
    loop {
        match commands.next(TICK) {
            Err(Stopped) => return Ok(()),
            Ok(None) => {}
            Ok(Some(command)) => match command["command"].as_str() {
                Some("kick") => server.kick(client_id_of(&command)?, &mut events),
                Some("freeze") => frozen = true,
                Some("resume") => frozen = false,
                Some("tally") => {
                    let Tally {
                        received,
                        verified,
                        faults,
                        ..
                    } = &tally;
                    emit(json!({ "event": "tally", "received": received, "verified": verified, "faults": faults }));
                }
                _ => return Err(format!("unknown command {command}").into()),
            },
        }
        if !frozen {
            server.update(&mut events);
        }
        for event in events.drain(..) {
            match event {
                ServerEvent::Connected { client_id, user_data } => emit(json!({
                    "event": "connected", "clientId": client_id.to_string(), "userData": hex(&user_data)
                })),
                ServerEvent::Disconnected { client_id, reason } => emit(json!({
                    "event": "disconnected", "clientId": client_id.to_string(), "reason": reason
                })),
                ServerEvent::Payload { client_id, bytes } => {
                    tally.take(seed, &bytes);
                    server.send(client_id, &bytes);
                }
            }
        }
    }
}

fn client_id_of(command: &Value) -> Result<u64, String> {
    let text = command["clientId"]
        .as_str()
        .ok_or("clientId: expected a decimal text")?;
    text.parse().map_err(|error| format!("clientId {text}: {error}"))
}
