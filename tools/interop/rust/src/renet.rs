//! `renetcode`: has no sockets and a token form of its own (token_form.rs). Its one clock must be Unix time.

use crate::peer::{ClientStatus, ForeignClient, ForeignServer, ServerEvent, ServerSetup, TokenRequest};
use crate::token_form::{from_renetcode, swapped, to_renetcode};
use renetcode::{
    ClientAuthentication, ConnectToken, DisconnectReason, NetcodeClient, NetcodeServer, ServerAuthentication,
    ServerConfig, ServerResult,
};
use std::net::{SocketAddr, UdpSocket};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Unix time that never steps back: read once, then carried on by the monotonic clock.
struct UnixClock {
    origin: Duration,
    begun: Instant,
}

impl UnixClock {
    fn new() -> Self {
        let origin = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self {
            origin,
            begun: Instant::now(),
        }
    }

    fn now(&self) -> Duration {
        self.origin + self.begun.elapsed()
    }
}

fn open(address: SocketAddr) -> Result<UdpSocket, String> {
    let socket = UdpSocket::bind(address).map_err(|error| error.to_string())?;
    socket.set_nonblocking(true).map_err(|error| error.to_string())?;
    Ok(socket)
}

pub struct RenetServer {
    server: NetcodeServer,
    socket: UdpSocket,
    address: SocketAddr,
    clock: UnixClock,
}

impl RenetServer {
    pub fn new(setup: &ServerSetup) -> Result<Self, String> {
        let socket = open(setup.address)?;
        let address = socket.local_addr().map_err(|error| error.to_string())?;
        let clock = UnixClock::new();
        let mut public_addresses = vec![address];
        if address.is_ipv6() {
            public_addresses.push(swapped(address));
        }
        let server = NetcodeServer::new(ServerConfig {
            current_time: clock.now(),
            max_clients: setup.slots,
            protocol_id: setup.protocol_id,
            public_addresses,
            authentication: ServerAuthentication::Secure {
                private_key: setup.private_key,
            },
        });
        Ok(Self {
            server,
            socket,
            address,
            clock,
        })
    }
}

/// Sends what a result asks for and tells what it means. `reason` is why a client that left did so: the library does not say,
/// but only one thing can have happened in each of its calls.
fn follow(socket: &UdpSocket, result: ServerResult<'_, '_>, reason: &'static str, events: &mut Vec<ServerEvent>) {
    match result {
        ServerResult::None => {}
        ServerResult::PacketToSend { addr, payload } => {
            let _ = socket.send_to(payload, addr);
        }
        ServerResult::Payload { client_id, payload } => {
            events.push(ServerEvent::Payload {
                client_id,
                bytes: payload.to_vec(),
            });
        }
        ServerResult::ClientConnected {
            client_id,
            addr,
            user_data,
            payload,
        } => {
            let _ = socket.send_to(payload, addr);
            events.push(ServerEvent::Connected {
                client_id,
                user_data: user_data.to_vec(),
            });
        }
        ServerResult::ClientDisconnected {
            client_id,
            addr,
            payload,
        } => {
            if let Some(payload) = payload {
                let _ = socket.send_to(payload, addr);
            }
            events.push(ServerEvent::Disconnected { client_id, reason });
        }
    }
}

impl ForeignServer for RenetServer {
    fn address(&self) -> SocketAddr {
        self.address
    }

    fn update(&mut self, events: &mut Vec<ServerEvent>) {
        self.server.update(self.clock.now() - self.server.current_time());
        let mut buffer = [0; renetcode::NETCODE_MAX_PACKET_BYTES];
        while let Ok((length, from)) = self.socket.recv_from(&mut buffer) {
            let result = self.server.process_packet(from, &mut buffer[..length]);
            follow(&self.socket, result, "clientDisconnect", events);
        }
        for client_id in self.server.clients_id() {
            follow(&self.socket, self.server.update_client(client_id), "timedOut", events);
        }
    }

    fn send(&mut self, client_id: u64, bytes: &[u8]) {
        if let Ok((address, packet)) = self.server.generate_payload_packet(client_id, bytes) {
            let _ = self.socket.send_to(packet, address);
        }
    }

    fn kick(&mut self, client_id: u64, events: &mut Vec<ServerEvent>) {
        follow(
            &self.socket,
            self.server.disconnect(client_id),
            "serverDisconnect",
            events,
        );
    }
}

pub struct RenetClient {
    /// One object is one attempt.
    client: Option<NetcodeClient>,
    socket: UdpSocket,
    clock: UnixClock,
}

impl RenetClient {
    pub fn new(bind: SocketAddr) -> Result<Self, String> {
        Ok(Self {
            client: None,
            socket: open(bind)?,
            clock: UnixClock::new(),
        })
    }
}

impl ForeignClient for RenetClient {
    fn connect(&mut self, token: &[u8]) -> Result<(), String> {
        let authentication = ClientAuthentication::Secure {
            connect_token: to_renetcode(token)?,
        };
        let client = NetcodeClient::new(self.clock.now(), authentication).map_err(|error| error.to_string())?;
        self.client = Some(client);
        Ok(())
    }

    fn update(&mut self, payloads: &mut Vec<Vec<u8>>) {
        let mut buffer = [0; renetcode::NETCODE_MAX_PACKET_BYTES];
        while let Ok((length, from)) = self.socket.recv_from(&mut buffer) {
            if let Some(client) = self.client.as_mut().filter(|client| client.server_addr() == from) {
                if let Some(bytes) = client.process_packet(&mut buffer[..length]) {
                    payloads.push(bytes.to_vec());
                }
            }
        }
        if let Some(client) = &mut self.client {
            if let Some((packet, address)) = client.update(self.clock.now() - client.current_time()) {
                let _ = self.socket.send_to(packet, address);
            }
        }
    }

    fn status(&self) -> ClientStatus {
        let state = match &self.client {
            Some(client) if client.is_connected() => "connected",
            Some(client) if client.is_connecting() => "connecting",
            Some(client) => match client.disconnect_reason() {
                Some(DisconnectReason::ConnectTokenExpired) => "connectTokenExpired",
                Some(DisconnectReason::ConnectionTimedOut) => "connectionTimedOut",
                Some(DisconnectReason::ConnectionResponseTimedOut) => "connectionResponseTimedOut",
                Some(DisconnectReason::ConnectionRequestTimedOut) => "connectionRequestTimedOut",
                Some(DisconnectReason::ConnectionDenied) => "connectionDenied",
                Some(DisconnectReason::DisconnectedByClient) => "disconnectedByClient",
                Some(DisconnectReason::DisconnectedByServer) => "disconnectedByServer",
                None => "disconnected",
            },
            None => "disconnected",
        };
        ClientStatus { state, slot: None }
    }

    fn send(&mut self, bytes: &[u8]) {
        if let Some(Ok((address, packet))) = self.client.as_mut().map(|client| client.generate_payload_packet(bytes)) {
            let _ = self.socket.send_to(packet, address);
        }
    }

    fn disconnect(&mut self) {
        if let Some(Ok((address, packet))) = self.client.as_mut().map(NetcodeClient::disconnect) {
            let _ = self.socket.send_to(packet, address);
        }
    }
}

/// Mints a token and brings it into the form of the protocol. There is one list of addresses for both halves.
pub fn mint(request: &TokenRequest) -> Result<Vec<u8>, String> {
    let token = ConnectToken::generate(
        UnixClock::new().now(),
        request.protocol_id,
        request.expire_seconds.into(),
        request.client_id,
        request.timeout_seconds,
        request.addresses.iter().copied().map(swapped).collect(),
        Some(&request.user_data),
        &request.private_key,
    );
    from_renetcode(&token.map_err(|error| error.to_string())?)
}
