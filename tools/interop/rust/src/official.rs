//! `netcode-official`: opens its own sockets and takes tokens in the form of the protocol.

use crate::peer::{ClientStatus, ForeignClient, ForeignServer, ServerEvent, ServerSetup, TokenRequest};
use netcode::{Client, ClientState, DisconnectReason, Server};
use std::net::SocketAddr;
use std::time::Instant;

pub struct OfficialServer {
    server: Server,
    begun: Instant,
    /// Client id of each slot: the library has wiped the slot by the time it tells of a disconnect.
    ids: Vec<u64>,
}

impl OfficialServer {
    pub fn new(setup: &ServerSetup) -> Result<Self, String> {
        let server = Server::new(setup.address, setup.protocol_id, &setup.private_key, 0.0);
        let mut server = server.map_err(|error| error.to_string())?;
        server.start(setup.slots).map_err(|error| error.to_string())?;
        Ok(Self {
            server,
            begun: Instant::now(),
            ids: vec![0; setup.slots],
        })
    }

    fn tell(&mut self, events: &mut Vec<ServerEvent>) {
        while let Some(event) = self.server.next_event() {
            events.push(match event {
                netcode::ServerEvent::ClientConnected { client_index } => {
                    self.ids[client_index] = self.server.client_id(client_index);
                    let user_data = self
                        .server
                        .client_user_data(client_index)
                        .map_or(Vec::new(), |data| data.to_vec());
                    ServerEvent::Connected {
                        client_id: self.ids[client_index],
                        user_data,
                    }
                }
                netcode::ServerEvent::ClientDisconnected { client_index, reason } => ServerEvent::Disconnected {
                    client_id: self.ids[client_index],
                    reason: match reason {
                        DisconnectReason::TimedOut => "timedOut",
                        DisconnectReason::ClientDisconnect => "clientDisconnect",
                        DisconnectReason::ServerDisconnect => "serverDisconnect",
                    },
                },
            });
        }
    }

    fn slot_of(&self, client_id: u64) -> Option<usize> {
        (0..self.server.max_clients())
            .find(|&slot| self.server.client_connected(slot) && self.server.client_id(slot) == client_id)
    }
}

impl ForeignServer for OfficialServer {
    fn address(&self) -> SocketAddr {
        self.server.address()
    }

    fn update(&mut self, events: &mut Vec<ServerEvent>) {
        self.server.update(self.begun.elapsed().as_secs_f64());
        self.tell(events);
        for slot in 0..self.server.max_clients() {
            while let Some((bytes, _)) = self.server.receive_packet(slot) {
                events.push(ServerEvent::Payload {
                    client_id: self.ids[slot],
                    bytes,
                });
            }
        }
    }

    fn send(&mut self, client_id: u64, bytes: &[u8]) {
        if let Some(slot) = self.slot_of(client_id) {
            let _ = self.server.send_packet(slot, bytes);
        }
    }

    fn kick(&mut self, client_id: u64, events: &mut Vec<ServerEvent>) {
        if let Some(slot) = self.slot_of(client_id) {
            self.server.disconnect_client(slot);
            self.tell(events);
        }
    }
}

pub struct OfficialClient {
    client: Client,
    begun: Instant,
}

impl OfficialClient {
    pub fn new(bind: SocketAddr) -> Result<Self, String> {
        let client = Client::new(bind, 0.0).map_err(|error| error.to_string())?;
        Ok(Self {
            client,
            begun: Instant::now(),
        })
    }
}

impl ForeignClient for OfficialClient {
    fn connect(&mut self, token: &[u8]) -> Result<(), String> {
        let token = token.try_into().map_err(|_| "a token has 2048 bytes".to_owned())?;
        self.client.update(self.begun.elapsed().as_secs_f64());
        self.client.connect(token).map_err(|error| error.to_string())
    }

    fn update(&mut self, payloads: &mut Vec<Vec<u8>>) {
        self.client.update(self.begun.elapsed().as_secs_f64());
        while let Some((bytes, _)) = self.client.receive_packet() {
            payloads.push(bytes);
        }
    }

    fn status(&self) -> ClientStatus {
        let state = match self.client.state() {
            ClientState::ConnectTokenExpired => "connectTokenExpired",
            ClientState::InvalidConnectToken => "invalidConnectToken",
            ClientState::ConnectionTimedOut => "connectionTimedOut",
            ClientState::ConnectionResponseTimedOut => "connectionResponseTimedOut",
            ClientState::ConnectionRequestTimedOut => "connectionRequestTimedOut",
            ClientState::ConnectionDenied => "connectionDenied",
            ClientState::Disconnected => "disconnected",
            ClientState::SendingConnectionRequest | ClientState::SendingConnectionResponse => "connecting",
            ClientState::Connected => "connected",
        };
        let slot = (state == "connected").then(|| (self.client.client_index(), self.client.max_clients()));
        ClientStatus { state, slot }
    }

    fn send(&mut self, bytes: &[u8]) {
        let _ = self.client.send_packet(bytes);
    }

    fn disconnect(&mut self) {
        self.client.disconnect();
    }
}

/// Mints a token; its form is that of the protocol.
pub fn mint(request: &TokenRequest) -> Result<Vec<u8>, String> {
    netcode::generate_connect_token(
        &request.addresses,
        &request.addresses,
        request.expire_seconds.into(),
        request.timeout_seconds,
        request.client_id,
        request.protocol_id,
        &request.private_key,
        &request.user_data,
    )
    .map(|token| token.to_vec())
    .map_err(|error| error.to_string())
}
