//! `mint`: prints one token in the form of the protocol.

use crate::args::{hex, unhex, Args};
use crate::peer::{Peer, TokenRequest};
use crate::{lines::emit, Outcome};
use serde_json::json;

pub fn run(args: &Args) -> Outcome {
    let given = unhex(args.text("user-data")?)?;
    let mut user_data = [0; 256];
    user_data
        .get_mut(..given.len())
        .ok_or("--user-data: at most 256 bytes")?
        .copy_from_slice(&given);
    let token = args.value::<Peer>("peer")?.mint(&TokenRequest {
        addresses: args.addresses("server")?,
        client_id: args.value("client-id")?,
        protocol_id: args.value("protocol-id")?,
        private_key: args.key("key")?,
        user_data,
        expire_seconds: args.value("expire-seconds")?,
        timeout_seconds: args.value("timeout-seconds")?,
    })?;
    emit(json!({ "event": "token", "token": hex(&token) }));
    Ok(())
}
