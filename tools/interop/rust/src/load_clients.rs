//! The clients of `bench-load`: netcode sessions, or plain datagrams of the same sizes.

use netcode::{Client, ClientState};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

/// Bytes that a netcode payload packet adds: prefix and tag, and a sequence of this many bytes.
const PACKET_BYTES: usize = 1 + 16;

pub trait LoadClient {
    fn is_connected(&self) -> bool;
    /// Carries on at a time in seconds and hands over what has arrived.
    fn update(&mut self, time: f64, take: &mut dyn FnMut(&[u8]));
    /// Sends the payload with this number.
    fn send(&mut self, number: u32, payload: &[u8]);
    fn close(&mut self);
}

/// Any port of the family of `server`.
fn own_address(server: SocketAddr) -> SocketAddr {
    match server {
        SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
        SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, 0).into(),
    }
}

pub struct NetcodeLoad(Client);

impl NetcodeLoad {
    pub fn new(server: SocketAddr, token: &[u8; netcode::CONNECT_TOKEN_BYTES]) -> Result<Self, netcode::Error> {
        let mut client = Client::new(own_address(server), 0.0)?;
        client.connect(token)?;
        Ok(Self(client))
    }
}

impl LoadClient for NetcodeLoad {
    fn is_connected(&self) -> bool {
        self.0.state() == ClientState::Connected
    }

    fn update(&mut self, time: f64, take: &mut dyn FnMut(&[u8])) {
        self.0.update(time);
        while let Some((payload, _)) = self.0.receive_packet() {
            take(&payload);
        }
    }

    fn send(&mut self, _number: u32, payload: &[u8]) {
        let _ = self.0.send_packet(payload);
    }

    fn close(&mut self) {
        self.0.disconnect();
    }
}

/// Sends the payload with as many bytes behind it as netcode would add.
pub struct RawLoad {
    socket: UdpSocket,
    buffer: Vec<u8>,
    payload_bytes: usize,
}

impl RawLoad {
    pub fn new(server: SocketAddr, payload_bytes: usize) -> std::io::Result<Self> {
        let socket = UdpSocket::bind(own_address(server))?;
        socket.connect(server)?;
        socket.set_nonblocking(true)?;
        Ok(Self {
            socket,
            buffer: vec![0; 2048],
            payload_bytes,
        })
    }
}

impl LoadClient for RawLoad {
    fn is_connected(&self) -> bool {
        true
    }

    fn update(&mut self, _time: f64, take: &mut dyn FnMut(&[u8])) {
        while let Ok(length) = self.socket.recv(&mut self.buffer) {
            take(&self.buffer[..length.min(self.payload_bytes)]);
        }
    }

    fn send(&mut self, number: u32, payload: &[u8]) {
        let sequence_bytes = (4 - number.leading_zeros() as usize / 8).max(1);
        let length = payload.len() + PACKET_BYTES + sequence_bytes;
        self.buffer[..payload.len()].copy_from_slice(payload);
        self.buffer[payload.len()..length].fill(0);
        let _ = self.socket.send(&self.buffer[..length]);
    }

    fn close(&mut self) {}
}
