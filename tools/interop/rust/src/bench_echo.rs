//! `bench-echo`: an echo server to compare with. It tells `ready` and nothing else.

use crate::args::Args;
use crate::lines::{emit, end_with_parent};
use crate::Outcome;
use netcode::Server;
use serde_json::json;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::time::{Duration, Instant};

pub fn run(args: &Args) -> Outcome {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, args.value("port")?));
    match args.text("peer")? {
        "official" => official(args, address),
        "dgram" => datagrams(address),
        _ => Err("--peer: expected official or dgram".into()),
    }
}

fn ready(address: SocketAddr) {
    emit(json!({ "event": "ready", "address": address.to_string() }));
    end_with_parent();
}

/// The library does not hand out its socket, so there is nothing to wait on: it is updated, then sleeps for a tick.
fn official(args: &Args, address: SocketAddr) -> Outcome {
    let tick = Duration::from_micros(args.value_or("tick-microseconds", 1000)?);
    let begun = Instant::now();
    let mut server = Server::new(address, args.value("protocol-id")?, &args.key("key")?, 0.0)?;
    server.start(args.value_or("clients", netcode::MAX_CLIENTS)?)?;
    ready(server.address());
    loop {
        server.update(begun.elapsed().as_secs_f64());
        while server.next_event().is_some() {}
        for slot in 0..server.max_clients() {
            while let Some((payload, _)) = server.receive_packet(slot) {
                server.send_packet(slot, &payload)?;
            }
        }
        std::thread::sleep(tick);
    }
}

fn datagrams(address: SocketAddr) -> Outcome {
    let socket = UdpSocket::bind(address)?;
    ready(socket.local_addr()?);
    let mut buffer = [0; 2048];
    loop {
        // An unreachable sender is reported on the next receive; the echo goes on.
        if let Ok((length, from)) = socket.recv_from(&mut buffer) {
            let _ = socket.send_to(&buffer[..length], from);
        }
    }
}
