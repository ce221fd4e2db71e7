//! What the two implementations have in common, so that one server loop and one client loop drive either.

use std::net::SocketAddr;

/// Something a server tells.
pub enum ServerEvent {
    Connected {
        client_id: u64,
        user_data: Vec<u8>,
    },
    /// `reason` is `timedOut`, `clientDisconnect` or `serverDisconnect`.
    Disconnected {
        client_id: u64,
        reason: &'static str,
    },
    Payload {
        client_id: u64,
        bytes: Vec<u8>,
    },
}

/// How a server is set up.
pub struct ServerSetup {
    pub address: SocketAddr,
    pub protocol_id: u64,
    pub private_key: [u8; 32],
    pub slots: usize,
}

pub trait ForeignServer {
    /// The identity, with the port that was bound.
    fn address(&self) -> SocketAddr;
    fn update(&mut self, events: &mut Vec<ServerEvent>);
    fn send(&mut self, client_id: u64, bytes: &[u8]);
    /// Disconnects one client, which is told.
    fn kick(&mut self, client_id: u64, events: &mut Vec<ServerEvent>);
}

/// The state of a client, and once connected its slot and the number of slots where the implementation tells them.
#[derive(Clone, PartialEq)]
pub struct ClientStatus {
    pub state: &'static str,
    pub slot: Option<(usize, usize)>,
}

pub trait ForeignClient {
    /// Begins to connect, from the same source port every time.
    fn connect(&mut self, token: &[u8]) -> Result<(), String>;
    fn update(&mut self, payloads: &mut Vec<Vec<u8>>);
    fn status(&self) -> ClientStatus;
    fn send(&mut self, bytes: &[u8]);
    /// Leaves; the server is told.
    fn disconnect(&mut self);
}

/// What a token is minted from. `addresses` is both the public and the internal list.
pub struct TokenRequest {
    pub addresses: Vec<SocketAddr>,
    pub client_id: u64,
    pub protocol_id: u64,
    pub private_key: [u8; 32],
    pub user_data: [u8; 256],
    pub expire_seconds: u16,
    pub timeout_seconds: i32,
}

/// The implementations that can be played.
#[derive(Clone, Copy)]
pub enum Peer {
    Official,
    Renetcode,
}

impl std::str::FromStr for Peer {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "official" => Ok(Self::Official),
            "renetcode" => Ok(Self::Renetcode),
            _ => Err("expected official or renetcode"),
        }
    }
}

impl Peer {
    pub fn server(self, setup: &ServerSetup) -> Result<Box<dyn ForeignServer>, String> {
        match self {
            Self::Official => Ok(Box::new(crate::official::OfficialServer::new(setup)?)),
            Self::Renetcode => Ok(Box::new(crate::renet::RenetServer::new(setup)?)),
        }
    }

    pub fn client(self, bind: SocketAddr) -> Result<Box<dyn ForeignClient>, String> {
        match self {
            Self::Official => Ok(Box::new(crate::official::OfficialClient::new(bind)?)),
            Self::Renetcode => Ok(Box::new(crate::renet::RenetClient::new(bind)?)),
        }
    }

    /// Mints a token and gives it in the form of the protocol, 2048 bytes.
    pub fn mint(self, request: &TokenRequest) -> Result<Vec<u8>, String> {
        match self {
            Self::Official => crate::official::mint(request),
            Self::Renetcode => crate::renet::mint(request),
        }
    }
}
