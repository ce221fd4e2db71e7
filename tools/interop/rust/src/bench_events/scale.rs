//! One host with many peers, datagrams handed over directly.

use super::fixture::{event, shared, Class, DT};
use super::stopwatch::Stopwatch;
use super::Workload;
use dream_net::{Connection, EventTypeId, Inbox, PeerId};

const SETTLE_FRAMES: usize = 8;
/// Frames of one peer that are timed at once; with more peers fewer.
const PEER_FRAMES: usize = 512;
const POLLED_PEERS: usize = 64;
const POLLED_EVENTS: usize = 8;
/// Frames until the queue has the length that is kept.
const FILL_FRAMES: usize = 16;

struct Client {
    connection: Connection,
    inbox: Inbox<()>,
}

struct Host {
    small: EventTypeId,
    state: EventTypeId,
    large: EventTypeId,
    server: Vec<Connection>,
    inbox: Inbox<()>,
    clients: Vec<Client>,
    time: f64,
    frames: u8,
    buffer: [u8; 2048],
}

impl Host {
    fn new(peers: usize) -> Self {
        let shared = shared();
        let mut inbox = Inbox::new(peers);
        let server = (0..peers).map(|slot| {
            let peer = PeerId::new(slot as u16, 1);
            inbox.open_slot(peer);
            Connection::new(shared.clone(), peer, 0.0)
        });
        let server = server.collect();
        let clients = (0..peers).map(|_| {
            let peer = PeerId::new(0, 1);
            let mut inbox = Inbox::new(1);
            inbox.open_slot(peer);
            Client {
                connection: Connection::new(shared.clone(), peer, 0.0),
                inbox,
            }
        });
        let mut host = Self {
            small: event(shared.schema(), Class::Reliable, 16),
            state: event(shared.schema(), Class::Unreliable, 64),
            large: event(shared.schema(), Class::Unreliable, 256),
            server,
            inbox,
            clients: clients.collect(),
            time: 0.0,
            frames: 0,
            buffer: [0; 2048],
        };
        for _ in 0..SETTLE_FRAMES {
            host.frame(false);
        }
        host
    }

    /// A frame of every client, then of the host. Returns the number of events that were polled.
    fn frame(&mut self, traffic: bool) -> usize {
        let Self {
            small,
            state,
            server,
            inbox,
            clients,
            buffer,
            ..
        } = self;
        self.time += DT;
        self.frames = self.frames.wrapping_add(1);
        let (small_payload, state_payload) = ([self.frames; 16], [self.frames; 64]);
        let mut polled = 0;
        for (client, connection) in clients.iter_mut().zip(server.iter_mut()) {
            client.inbox.compact();
            client.connection.update(self.time);
            if traffic {
                client.connection.send(*small, &small_payload).unwrap();
                client.connection.send(*state, &state_payload).unwrap();
            }
            client
                .connection
                .write_packets(|datagram| connection.receive(datagram, inbox, |_| {}));
            while client.inbox.pop_into(buffer).unwrap().is_some() {
                polled += 1;
            }
        }
        inbox.compact();
        for connection in server.iter_mut() {
            connection.update(self.time);
        }
        while inbox.pop_into(buffer).unwrap().is_some() {
            polled += 1;
        }
        for (client, connection) in clients.iter_mut().zip(server.iter_mut()) {
            if traffic {
                connection.send(*small, &small_payload).unwrap();
                connection.send(*state, &state_payload).unwrap();
                connection.send(*state, &state_payload).unwrap();
            }
            connection.write_packets(|datagram| client.connection.receive(datagram, &mut client.inbox, |_| {}));
        }
        polled
    }

    /// A frame in which only the clients send, and the host leaves `keep` events in its queue. Returns the number of events that were polled.
    fn partial_frame(&mut self, keep: usize) -> usize {
        let Self {
            large,
            server,
            inbox,
            clients,
            buffer,
            ..
        } = self;
        self.time += DT;
        self.frames = self.frames.wrapping_add(1);
        let payload = [self.frames; 256];
        for (client, connection) in clients.iter_mut().zip(server.iter_mut()) {
            client.connection.update(self.time);
            for _ in 0..POLLED_EVENTS {
                client.connection.send(*large, &payload).unwrap();
            }
            client
                .connection
                .write_packets(|datagram| connection.receive(datagram, inbox, |_| {}));
        }
        inbox.compact();
        for connection in server.iter_mut() {
            connection.update(self.time);
        }
        let mut polled = 0;
        while inbox.len() > keep {
            inbox.pop_into(buffer).unwrap();
            polled += 1;
        }
        for (client, connection) in clients.iter_mut().zip(server.iter_mut()) {
            connection.write_packets(|datagram| client.connection.receive(datagram, &mut client.inbox, |_| {}));
        }
        polled
    }
}

/// Every client sends 2 events and gets 3. A unit is a frame of one peer.
pub struct Traffic(Host);

impl Traffic {
    pub fn new(peers: usize) -> Self {
        let mut host = Host::new(peers);
        // What was sent to the clients is polled a frame later.
        host.frame(true);
        Self(host)
    }
}

impl Workload for Traffic {
    fn play(&mut self, watch: &mut Stopwatch) -> u64 {
        let peers = self.0.clients.len();
        let frames = PEER_FRAMES / peers;
        watch.time(|| {
            for _ in 0..frames {
                assert_eq!(self.0.frame(true), 5 * peers);
            }
        });
        (frames * peers) as u64
    }

    fn work(&self) -> Option<u64> {
        Some(self.0.server[0].counters().bytes_sent)
    }
}

/// Frames without traffic. A unit is a frame of one peer.
pub struct Idle(Host);

impl Idle {
    pub fn new(peers: usize) -> Self {
        Self(Host::new(peers))
    }
}

impl Workload for Idle {
    fn play(&mut self, watch: &mut Stopwatch) -> u64 {
        let peers = self.0.clients.len();
        let frames = PEER_FRAMES / peers;
        watch.time(|| {
            for _ in 0..frames {
                assert_eq!(self.0.frame(false), 0);
            }
        });
        (frames * peers) as u64
    }

    fn work(&self) -> Option<u64> {
        Some(self.0.server[0].counters().datagrams_sent)
    }
}

/// A queue that is never emptied. A unit is a frame of the host.
pub struct PartialPoll {
    host: Host,
    keep: usize,
}

impl PartialPoll {
    pub fn new(keep: usize) -> Self {
        let mut host = Host::new(POLLED_PEERS);
        for _ in 0..FILL_FRAMES {
            host.partial_frame(keep);
        }
        Self { host, keep }
    }
}

impl Workload for PartialPoll {
    fn play(&mut self, watch: &mut Stopwatch) -> u64 {
        watch.time(|| {
            for _ in 0..8 {
                assert_eq!(self.host.partial_frame(self.keep), POLLED_PEERS * POLLED_EVENTS);
            }
        });
        8
    }

    fn work(&self) -> Option<u64> {
        Some(self.host.clients[0].connection.counters().bytes_sent)
    }
}
