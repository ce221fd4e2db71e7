//! One pair of connections.

use super::direct::{Datagrams, Direct};
use super::fixture::{event, shared, transport, Class, BATCH, BLOB_BYTES, DT};
use super::stopwatch::Stopwatch;
use super::Workload;
use dream_net::sim::{LinkConfig, Pair};
use dream_net::{EventTypeId, SendError, Shared};
use std::hint::black_box;
use std::sync::Arc;

/// Calls that are timed at once where one is short.
const CALLS: usize = 2000;
const LOSSY_EVENTS: u64 = 20_000;
const BLOBS: usize = 16;

/// A pair and what is sent through it.
struct Stage {
    pair: Direct,
    event: EventTypeId,
    payload: Vec<u8>,
    buffer: Vec<u8>,
}

impl Stage {
    fn new(class: Class, size: usize) -> Self {
        let shared = shared();
        Self::of(&shared, event(shared.schema(), class, size), size)
    }

    fn of(shared: &Arc<Shared>, event: EventTypeId, size: usize) -> Self {
        Self {
            pair: Direct::new(shared),
            event,
            payload: vec![7; size],
            buffer: vec![0; BLOB_BYTES],
        }
    }

    fn send(&mut self, count: usize) {
        for i in 0..count {
            self.payload[0] = i as u8;
            self.pair.b.send(self.event, black_box(&self.payload)).unwrap();
        }
    }

    fn drain(&mut self, count: usize) {
        assert_eq!(self.pair.drain(&mut self.buffer), count);
    }
}

/// Queues a batch; it is delivered without being timed.
pub struct Send(Stage);

impl Send {
    pub fn new(class: Class, size: usize) -> Self {
        Self(Stage::new(class, size))
    }
}

impl Workload for Send {
    fn play(&mut self, watch: &mut Stopwatch) -> u64 {
        watch.time(|| self.0.send(BATCH));
        self.0.pair.step();
        self.0.drain(BATCH);
        BATCH as u64
    }
}

/// Moves a batch of received events into a buffer.
pub struct PollInto(Stage);

impl PollInto {
    pub fn new(size: usize) -> Self {
        Self(Stage::new(Class::Unreliable, size))
    }
}

impl Workload for PollInto {
    fn play(&mut self, watch: &mut Stopwatch) -> u64 {
        self.0.send(BATCH);
        self.0.pair.step();
        watch.time(|| self.0.drain(BATCH));
        BATCH as u64
    }
}

/// One flush of a batch into datagrams, which are copied; they are delivered without being timed.
pub struct Pack {
    stage: Stage,
    datagrams: Datagrams,
    flushed: usize,
}

impl Pack {
    pub fn new(class: Class, size: usize) -> Self {
        Self {
            stage: Stage::new(class, size),
            datagrams: Datagrams::default(),
            flushed: 0,
        }
    }
}

impl Workload for Pack {
    fn play(&mut self, watch: &mut Stopwatch) -> u64 {
        let Self { stage, datagrams, .. } = self;
        stage.send(BATCH);
        watch.time(|| stage.pair.b.write_packets(|datagram| datagrams.push(datagram)));
        self.flushed = datagrams.len();
        stage.pair.deliver(datagrams);
        stage.pair.step();
        stage.drain(BATCH);
        1
    }

    fn work(&self) -> Option<u64> {
        Some(self.flushed as u64)
    }
}

/// A frame of both ends with events one way: they are queued, packed, handed over, and polled.
pub struct Frame {
    stage: Stage,
    count: usize,
}

impl Frame {
    pub fn new(class: Class, size: usize) -> Self {
        Self {
            stage: Stage::new(class, size),
            count: BATCH,
        }
    }

    pub fn fragmented() -> Self {
        let shared = shared();
        let blob = shared.schema().event_id("Blob").unwrap();
        Self {
            stage: Stage::of(&shared, blob, BLOB_BYTES),
            count: BLOBS,
        }
    }
}

impl Workload for Frame {
    fn play(&mut self, watch: &mut Stopwatch) -> u64 {
        let Self { stage, count } = self;
        watch.time(|| {
            for _ in 0..8 {
                stage.send(*count);
                stage.pair.step();
                stage.drain(*count);
            }
        });
        8
    }

    fn work(&self) -> Option<u64> {
        let counters = self.stage.pair.b.counters();
        assert_eq!(counters.events_resent, 0);
        Some(counters.datagrams_sent)
    }
}

/// Reliable events through the simulator. A unit is an event.
pub struct Lossy {
    shared: Arc<Shared>,
    link: LinkConfig,
    seed: u64,
    resent: u64,
}

impl Lossy {
    pub fn new(percent: u32) -> Self {
        Self {
            shared: shared(),
            link: LinkConfig {
                latency: 0.05,
                jitter: 0.01,
                loss: f64::from(percent) / 100.0,
                duplicate: 0.0,
                corrupt: 0.0,
            },
            seed: 0,
            resent: 0,
        }
    }
}

impl Workload for Lossy {
    fn play(&mut self, watch: &mut Stopwatch) -> u64 {
        self.seed += 1;
        let mut pair = Pair::symmetric(&self.shared, self.link, self.seed);
        assert!(pair.handshake(DT, 600));
        let event = event(self.shared.schema(), Class::Reliable, 64);
        let (mut payload, mut buffer) = ([7; 64], [0; 256]);
        watch.time(|| {
            let (mut sent, mut received) = (0, 0);
            while received < LOSSY_EVENTS {
                while sent < LOSSY_EVENTS {
                    payload[0] = sent as u8;
                    match pair.b.send(event, &payload) {
                        Ok(()) => sent += 1,
                        Err(SendError::QueueFull(_)) => break,
                        Err(error) => panic!("{error}"),
                    }
                }
                pair.step(DT);
                while pair.a_inbox.pop_into(&mut buffer).unwrap().is_some() {
                    assert_eq!(buffer[0], received as u8);
                    received += 1;
                }
            }
        });
        self.resent = pair.b.counters().events_resent;
        LOSSY_EVENTS
    }

    fn work(&self) -> Option<u64> {
        Some(self.resent)
    }
}

/// Moves the clock of a connection without traffic.
pub struct IdleUpdate(Direct);

impl IdleUpdate {
    pub fn new() -> Self {
        Self(Direct::new(&shared()))
    }
}

impl Workload for IdleUpdate {
    fn play(&mut self, watch: &mut Stopwatch) -> u64 {
        let Direct { a, time, .. } = &mut self.0;
        watch.time(|| {
            for _ in 0..CALLS {
                *time += DT;
                a.update(black_box(*time));
            }
        });
        CALLS as u64
    }
}

/// Frames of both ends without traffic.
pub struct IdleFrame(Direct);

impl IdleFrame {
    pub fn new() -> Self {
        Self(Direct::new(&shared()))
    }
}

impl Workload for IdleFrame {
    fn play(&mut self, watch: &mut Stopwatch) -> u64 {
        watch.time(|| {
            for _ in 0..CALLS {
                self.0.step();
            }
        });
        CALLS as u64
    }

    fn work(&self) -> Option<u64> {
        Some(self.0.b.counters().datagrams_sent)
    }
}

/// Moves the clock of an endpoint of the layer below.
pub struct ReliableUpdate {
    endpoint: reliable::Endpoint,
    time: f64,
}

impl ReliableUpdate {
    pub fn new(history: usize) -> Self {
        let mut config = transport().reliable_config("bench");
        config.rtt_history_size = history;
        Self {
            endpoint: reliable::Endpoint::new(config, 0.0),
            time: 0.0,
        }
    }
}

impl Workload for ReliableUpdate {
    fn play(&mut self, watch: &mut Stopwatch) -> u64 {
        let Self { endpoint, time } = self;
        watch.time(|| {
            for _ in 0..CALLS {
                *time += DT;
                endpoint.update(black_box(*time));
            }
        });
        CALLS as u64
    }
}
