//! The codec alone: packets of one section.

use super::fixture::{event, schema, Class};
use super::stopwatch::Stopwatch;
use super::Workload;
use dream_net::wire::{decode, Decoded, Layout, PacketWriter};
use dream_net::{ChannelId, EventTypeId, Seq16};
use std::hint::black_box;
use std::str::FromStr;

const FIRST_ID: u16 = 65_000;
const BUFFER_BYTES: usize = 8192;
/// Different packets to decode.
const PACKETS: usize = 16;
/// Events timed at once.
const EVENTS: usize = 16_384;

/// Number and size of the events of a packet.
#[derive(Clone, Copy)]
pub struct Shape {
    count: usize,
    size: usize,
}

impl FromStr for Shape {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text
            .split_once('x')
            .and_then(|(count, size)| Some((count.parse().ok()?, size.parse().ok()?)));
        let (count, size) = parts.ok_or_else(|| format!("{text}: expected COUNTxSIZE"))?;
        Ok(Self { count, size })
    }
}

pub struct Encode {
    layout: Layout,
    buffer: Vec<u8>,
    event: EventTypeId,
    class: Class,
    shape: Shape,
    payload: Vec<u8>,
    /// Id of the next packet's first event.
    id: u16,
    length: usize,
}

impl Encode {
    pub fn new(class: Class, shape: Shape) -> Self {
        let schema = schema();
        Self {
            layout: Layout::new(&schema),
            buffer: vec![0; BUFFER_BYTES],
            event: event(&schema, class, shape.size),
            class,
            shape,
            payload: vec![7; shape.size],
            id: FIRST_ID,
            length: 0,
        }
    }

    /// Encodes the next packet into the buffer.
    fn packet(&mut self) {
        let reliable = self.class == Class::Reliable;
        self.payload[0] = self.payload[0].wrapping_add(1);
        let mut writer = PacketWriter::new(&mut self.buffer);
        writer.header(&self.layout, None, 1);
        writer.section(&self.layout, ChannelId(u8::from(!reliable)), self.shape.count as u32);
        for i in 0..self.shape.count as u16 {
            if reliable && i == 0 {
                writer.first_id(Seq16(self.id));
            } else if reliable {
                let delta = 1 + (i - 1) % 3;
                writer.next_id(u32::from(delta));
                self.id = self.id.wrapping_add(delta);
            }
            writer.message(&self.layout, self.event, &self.payload);
        }
        self.length = writer.finish();
        self.id = self.id.wrapping_add(1);
    }
}

impl Workload for Encode {
    fn play(&mut self, watch: &mut Stopwatch) -> u64 {
        let packets = EVENTS / self.shape.count;
        watch.time(|| {
            for _ in 0..packets {
                self.packet();
                black_box(&self.buffer);
            }
        });
        packets as u64
    }

    fn work(&self) -> Option<u64> {
        Some(self.length as u64)
    }
}

pub struct Decode {
    layout: Layout,
    packets: Vec<Vec<u8>>,
    decoded: Decoded,
    shape: Shape,
}

impl Decode {
    pub fn new(class: Class, shape: Shape) -> Self {
        let mut encode = Encode::new(class, shape);
        let packets = (0..PACKETS).map(|_| {
            encode.packet();
            encode.buffer[..encode.length].to_vec()
        });
        Self {
            packets: packets.collect(),
            layout: Layout::new(&schema()),
            decoded: Decoded::default(),
            shape,
        }
    }
}

impl Workload for Decode {
    fn play(&mut self, watch: &mut Stopwatch) -> u64 {
        let packets = EVENTS / self.shape.count;
        watch.time(|| {
            for i in 0..packets {
                decode(&self.layout, black_box(&self.packets[i % PACKETS]), &mut self.decoded).unwrap();
                assert_eq!(self.decoded.messages.len(), self.shape.count);
            }
        });
        packets as u64
    }

    fn work(&self) -> Option<u64> {
        Some(
            self.decoded
                .messages
                .iter()
                .map(|message| u64::from(message.id.0))
                .sum(),
        )
    }
}
