//! The schema and the configuration of every workload; `packages/reliable/bench/support/catalogue.mjs` has the same.

use dream_net::{ChannelConfig, EventTypeId, OverflowPolicy, Schema, Shared, TransportConfig};
use std::str::FromStr;
use std::sync::Arc;

/// One frame, in seconds.
pub const DT: f64 = 1.0 / 60.0;
/// Events of a batch.
pub const BATCH: usize = 256;
pub const BLOB_BYTES: usize = 8192;

/// How an event travels.
#[derive(Clone, Copy, PartialEq)]
pub enum Class {
    Reliable,
    Unreliable,
}

impl FromStr for Class {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "reliable" => Ok(Self::Reliable),
            "unreliable" => Ok(Self::Unreliable),
            _ => Err(format!("{text}: expected reliable or unreliable")),
        }
    }
}

pub fn schema() -> Schema {
    let mut builder = Schema::builder(1).max_messages_per_packet(64);
    let reliable = builder.channel(ChannelConfig::reliable_ordered("reliable").with_capacity(1024));
    let state = ChannelConfig::unreliable_unordered("state").with_capacity(4096);
    let state = builder.channel(state.with_overflow(OverflowPolicy::DropOldest));
    let bulk = builder.channel(ChannelConfig::reliable_ordered("bulk").with_capacity(256));
    let (reliable, state, bulk) = (reliable.unwrap(), state.unwrap(), bulk.unwrap());
    for size in [16, 64, 256, 1024] {
        builder.event(format!("R{size}"), reliable, size).unwrap();
        builder.event(format!("U{size}"), state, size).unwrap();
    }
    builder.event("Blob", bulk, BLOB_BYTES as u32).unwrap();
    builder.build().unwrap()
}

/// Limits raised so that none of them holds a frame back.
pub fn transport() -> TransportConfig {
    TransportConfig {
        max_packets_per_flush: 1024,
        sent_packets_buffer_size: 512,
        received_packets_buffer_size: 512,
        max_pending_events: 65_536,
        max_pending_bytes: 64 << 20,
        ..TransportConfig::default()
    }
}

pub fn shared() -> Arc<Shared> {
    Shared::new(schema(), transport()).unwrap()
}

/// The event of a class and size.
pub fn event(schema: &Schema, class: Class, size: usize) -> EventTypeId {
    let letter = if class == Class::Reliable { 'R' } else { 'U' };
    schema.event_id(&format!("{letter}{size}")).unwrap()
}
