//! The protocol with the parent: one JSON object per line, events on stdout, commands on stdin.

use serde_json::Value;
use std::io::{BufRead, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

/// Writes one event. When nobody reads any more, the program ends.
pub fn emit(event: Value) {
    let mut out = std::io::stdout().lock();
    if writeln!(out, "{event}").and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

/// The commands of the parent. Its death closes stdin, which counts as `stop`.
pub struct Commands(Receiver<Value>);

impl Commands {
    /// Starts to read stdin.
    pub fn listen() -> Self {
        let (sender, receiver) = mpsc::channel();
        std::thread::spawn(move || {
            for line in std::io::stdin().lock().lines() {
                let Ok(line) = line else { break };
                let Ok(command) = serde_json::from_str(&line) else {
                    eprintln!("x-interop: not a JSON command: {line}");
                    break;
                };
                if sender.send(command).is_err() {
                    break;
                }
            }
        });
        Self(receiver)
    }

    /// Waits at most `patience` for a command. `Err` means that the program is to end.
    pub fn next(&self, patience: Duration) -> Result<Option<Value>, Stopped> {
        match self.0.recv_timeout(patience) {
            Ok(command) if command["command"] == "stop" => Err(Stopped),
            Ok(command) => Ok(Some(command)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(Stopped),
        }
    }
}

/// The parent said `stop`, or is gone.
pub struct Stopped;

/// Ends the process as soon as stdin is closed, for programs that take no commands.
pub fn end_with_parent() {
    std::thread::spawn(|| {
        let mut sink = Vec::new();
        let _ = std::io::Read::read_to_end(&mut std::io::stdin(), &mut sink);
        std::process::exit(0);
    });
}
