//! `bench-load`: sends payloads to an echo server at a fixed rate from many clients on one thread and times the echoes.

use crate::args::Args;
use crate::lines::{emit, end_with_parent};
use crate::load_clients::{LoadClient, NetcodeLoad, RawLoad};
use crate::Outcome;
use serde_json::json;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

/// How long connecting may take, all clients together.
const CONNECT_PATIENCE: Duration = Duration::from_secs(10);
/// How long echoes are waited for after the last payload.
const DRAIN: Duration = Duration::from_millis(500);

/// What is sent.
struct Load {
    clients: usize,
    hz: f64,
    bytes: usize,
    seconds: f64,
    tick: Duration,
}

pub fn run(args: &Args) -> Outcome {
    let load = Load {
        clients: args.value("clients")?,
        hz: args.value("hz")?,
        bytes: args.value("bytes")?,
        seconds: args.value("seconds")?,
        tick: Duration::from_micros(args.value_or("tick-microseconds", 250)?),
    };
    if !(NUMBER_BYTES..=netcode::MAX_PAYLOAD_BYTES).contains(&load.bytes) {
        return Err(format!("--bytes: expected {NUMBER_BYTES} to {}", netcode::MAX_PAYLOAD_BYTES).into());
    }
    if load.clients == 0 || !(load.hz > 0.0 && load.seconds > 0.0) {
        return Err("--clients, --hz and --seconds must be positive".into());
    }
    end_with_parent();
    let mut clients = clients_of(args, &load)?;
    let begun = Instant::now();
    connect(&mut clients, begun, load.tick)?;
    emit(json!({ "event": "started" }));
    let mut flights: Vec<Flights> = clients.iter().map(|_| Flights::new(load.bytes)).collect();
    play(&mut clients, &mut flights, begun, &load);
    clients.iter_mut().for_each(|client| client.close());
    report(&flights, &load);
    Ok(())
}

fn clients_of(args: &Args, load: &Load) -> Result<Vec<Box<dyn LoadClient>>, Box<dyn std::error::Error>> {
    let server: SocketAddr = args.value("server")?;
    (0..load.clients)
        .map(|index| -> Result<Box<dyn LoadClient>, Box<dyn std::error::Error>> {
            if args.has("raw") {
                return Ok(Box::new(RawLoad::new(server, load.bytes)?));
            }
            let token = netcode::generate_connect_token(
                &[server],
                &[server],
                args.value_or("expire-seconds", 30)?,
                args.value_or("timeout-seconds", 5)?,
                index as u64 + 1,
                args.value("protocol-id")?,
                &args.key("key")?,
                &[0; netcode::USER_DATA_BYTES],
            )?;
            Ok(Box::new(NetcodeLoad::new(server, &token)?))
        })
        .collect()
}

fn connect(clients: &mut [Box<dyn LoadClient>], begun: Instant, tick: Duration) -> Outcome {
    while !clients.iter().all(|client| client.is_connected()) {
        if begun.elapsed() > CONNECT_PATIENCE {
            let connected = clients.iter().filter(|client| client.is_connected()).count();
            return Err(format!("only {connected} of {} clients connected", clients.len()).into());
        }
        for client in clients.iter_mut() {
            client.update(begun.elapsed().as_secs_f64(), &mut |_| {});
        }
        std::thread::sleep(tick);
    }
    Ok(())
}

fn play(clients: &mut [Box<dyn LoadClient>], flights: &mut [Flights], begun: Instant, load: &Load) {
    let first = begun.elapsed().as_secs_f64();
    let (interval, per_client) = (1.0 / load.hz, (load.seconds * load.hz).round() as u32);
    // Clients take turns within the interval instead of sending all at once.
    let due = |index: usize, number: u32| first + interval * (f64::from(number) + index as f64 / load.clients as f64);
    let end = first + load.seconds + DRAIN.as_secs_f64();
    loop {
        let time = begun.elapsed().as_secs_f64();
        for (index, (client, flight)) in clients.iter_mut().zip(flights.iter_mut()).enumerate() {
            client.update(time, &mut |payload| flight.land(payload));
            while (flight.sent_at.len() as u32) < per_client && due(index, flight.sent_at.len() as u32) <= time {
                flight.launch(client.as_mut());
            }
        }
        let complete = flights.iter().all(|flight| flight.echoes == per_client as usize);
        if complete || time > end {
            return;
        }
        std::thread::sleep(load.tick);
    }
}

/// A payload begins with its number, little-endian.
const NUMBER_BYTES: usize = 4;

/// The payloads of one client.
struct Flights {
    scratch: Vec<u8>,
    sent_at: Vec<Instant>,
    landed: Vec<bool>,
    echoes: usize,
    damaged: usize,
    round_trips: Vec<u32>,
}

impl Flights {
    fn new(bytes: usize) -> Self {
        Self {
            scratch: vec![0; bytes],
            sent_at: Vec::new(),
            landed: Vec::new(),
            echoes: 0,
            damaged: 0,
            round_trips: Vec::new(),
        }
    }

    /// Number, then bytes that differ from payload to payload.
    fn fill(scratch: &mut [u8], number: u32) {
        let (head, tail) = scratch.split_at_mut(NUMBER_BYTES);
        head.copy_from_slice(&number.to_le_bytes());
        for (offset, byte) in tail.iter_mut().enumerate() {
            *byte = (number as usize + offset) as u8;
        }
    }

    fn launch(&mut self, client: &mut dyn LoadClient) {
        let number = self.sent_at.len() as u32;
        Self::fill(&mut self.scratch, number);
        self.sent_at.push(Instant::now());
        self.landed.push(false);
        client.send(number, &self.scratch);
    }

    fn land(&mut self, payload: &[u8]) {
        let now = Instant::now();
        let head = payload
            .first_chunk::<NUMBER_BYTES>()
            .map(|bytes| u32::from_le_bytes(*bytes));
        let Some(number) = head.filter(|&number| (number as usize) < self.sent_at.len()) else {
            self.damaged += 1;
            return;
        };
        Self::fill(&mut self.scratch, number);
        let index = number as usize;
        if payload != self.scratch {
            self.damaged += 1;
        } else if !std::mem::replace(&mut self.landed[index], true) {
            self.echoes += 1;
            self.round_trips.push((now - self.sent_at[index]).as_micros() as u32);
        }
    }
}

fn report(flights: &[Flights], load: &Load) {
    let sent: usize = flights.iter().map(|flight| flight.sent_at.len()).sum();
    let received: usize = flights.iter().map(|flight| flight.echoes).sum();
    let damaged: usize = flights.iter().map(|flight| flight.damaged).sum();
    let mut times: Vec<u32> = flights
        .iter()
        .flat_map(|flight| flight.round_trips.iter().copied())
        .collect();
    times.sort_unstable();
    let quantile = |share: f64| times.get(((times.len() as f64 * share) as usize).min(times.len().saturating_sub(1)));
    emit(json!({
        "event": "result",
        "clients": load.clients,
        "seconds": load.seconds,
        "sent": sent,
        "received": received,
        "lost": sent - received,
        "damaged": damaged,
        "rttMicroseconds": { "p50": quantile(0.5), "p99": quantile(0.99) },
    }));
}
