//! Two connections wired into each other.

use super::fixture::DT;
use dream_net::{Connection, Inbox, PeerId, Shared};
use std::sync::Arc;

const PEER: PeerId = PeerId::new(0, 1);
/// Frames until both ends are established and nothing is owed.
const SETTLE_FRAMES: usize = 8;

/// Datagrams that wait to be handed over.
#[derive(Default)]
pub struct Datagrams {
    bytes: Vec<u8>,
    lengths: Vec<usize>,
}

impl Datagrams {
    pub fn push(&mut self, datagram: &[u8]) {
        self.bytes.extend_from_slice(datagram);
        self.lengths.push(datagram.len());
    }

    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Hands all over and forgets them.
    pub fn drain(&mut self, mut each: impl FnMut(&[u8])) {
        let mut offset = 0;
        for length in self.lengths.drain(..) {
            each(&self.bytes[offset..offset + length]);
            offset += length;
        }
        self.bytes.clear();
    }
}

pub struct Direct {
    pub a: Connection,
    pub b: Connection,
    pub a_inbox: Inbox<()>,
    pub b_inbox: Inbox<()>,
    pub time: f64,
    acks: Datagrams,
}

impl Direct {
    pub fn new(shared: &Arc<Shared>) -> Self {
        let inbox = || {
            let mut inbox = Inbox::new(1);
            inbox.open_slot(PEER);
            inbox
        };
        let mut pair = Self {
            a: Connection::new(shared.clone(), PEER, 0.0),
            b: Connection::new(shared.clone(), PEER, 0.0),
            a_inbox: inbox(),
            b_inbox: inbox(),
            time: 0.0,
            acks: Datagrams::default(),
        };
        for _ in 0..SETTLE_FRAMES {
            pair.step();
        }
        pair
    }

    /// A frame of both ends: `b` sends first, what `a` acknowledges at once comes back before `a` sends.
    pub fn step(&mut self) {
        self.time += DT;
        self.a_inbox.compact();
        self.b_inbox.compact();
        self.a.update(self.time);
        self.b.update(self.time);
        let Self {
            a,
            b,
            a_inbox,
            b_inbox,
            acks,
            ..
        } = self;
        b.write_packets(|datagram| a.receive(datagram, a_inbox, |ack| acks.push(ack)));
        acks.drain(|ack| b.receive(ack, b_inbox, |_| {}));
        a.write_packets(|datagram| b.receive(datagram, b_inbox, |_| {}));
    }

    /// Hands datagrams of `b` to `a`, then what `a` acknowledges at once to `b`.
    pub fn deliver(&mut self, datagrams: &mut Datagrams) {
        let Self {
            a,
            b,
            a_inbox,
            b_inbox,
            acks,
            ..
        } = self;
        datagrams.drain(|datagram| a.receive(datagram, a_inbox, |ack| acks.push(ack)));
        acks.drain(|ack| b.receive(ack, b_inbox, |_| {}));
    }

    /// Takes everything out of the inbox of `a` and tells how much it was.
    pub fn drain(&mut self, buffer: &mut [u8]) -> usize {
        let mut count = 0;
        while self.a_inbox.pop_into(buffer).unwrap().is_some() {
            count += 1;
        }
        count
    }
}
