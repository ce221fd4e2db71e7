//! Translation between the token of the protocol and the one `renetcode` writes.
//!
//! | topic           | protocol                              | renetcode                                                |
//! |-----------------|---------------------------------------|----------------------------------------------------------|
//! | begins with     | version text                          | 8 bytes of client id, then the version text              |
//! | ends            | zeros up to 2048 bytes                | directly after the keys                                  |
//! | IPv6 in lists   | eight little-endian groups            | sixteen bytes in network order                           |
//!
//! The lists of the private half are sealed, so they cannot be rewritten: a server of `renetcode` gets the swapped form of its
//! own address as a second identity, and a token it mints is made from swapped addresses. The public list is swapped after
//! reading.

use renetcode::ConnectToken;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// Bytes of a token of the protocol.
const TOKEN_BYTES: usize = 2048;
/// Bytes that `renetcode` puts in front.
const CLIENT_ID_BYTES: usize = 8;

/// The address that one side reads when the other wrote `address`: IPv6 with the bytes of each group exchanged, IPv4 as it is.
pub fn swapped(address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(_) => address,
        IpAddr::V6(ip) => {
            let groups = ip.segments().map(u16::swap_bytes);
            SocketAddr::new(Ipv6Addr::from(groups).into(), address.port())
        }
    }
}

/// Reads a token of the protocol for a client of `renetcode`.
pub fn to_renetcode(token: &[u8]) -> Result<ConnectToken, String> {
    if token.len() != TOKEN_BYTES {
        return Err(format!("a token has {TOKEN_BYTES} bytes, this one {}", token.len()));
    }
    // Any client id will do: only a getter shows it.
    let mut form = vec![0; CLIENT_ID_BYTES];
    form.extend_from_slice(token);
    let mut read = ConnectToken::read(&mut form.as_slice()).map_err(|error| error.to_string())?;
    for address in read.server_addresses.iter_mut().flatten() {
        *address = swapped(*address);
    }
    Ok(read)
}

/// Writes a token that `renetcode` minted from swapped addresses in the form of the protocol.
pub fn from_renetcode(token: &ConnectToken) -> Result<Vec<u8>, String> {
    let mut form = Vec::new();
    token.write(&mut form).map_err(|error| error.to_string())?;
    let mut bytes = form.split_off(CLIENT_ID_BYTES);
    bytes.resize(TOKEN_BYTES, 0);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn minted(address: SocketAddr) -> ConnectToken {
        let addresses = vec![swapped(address)];
        ConnectToken::generate(
            Duration::from_secs(1000),
            7,
            30,
            42,
            5,
            addresses,
            Some(&[1; 256]),
            &[9; 32],
        )
        .unwrap()
    }

    #[test]
    fn swapping_twice_gives_the_address_back() {
        let address: SocketAddr = "[fe80::1:203]:40000".parse().unwrap();
        assert_eq!(swapped(address), "[80fe::100:302]:40000".parse().unwrap());
        assert_eq!(swapped(swapped(address)), address);
        let four: SocketAddr = "10.1.2.3:4".parse().unwrap();
        assert_eq!(swapped(four), four);
    }

    #[test]
    fn a_minted_token_gets_the_form_of_the_protocol() {
        let bytes = from_renetcode(&minted("[::1]:40000".parse().unwrap())).unwrap();
        assert_eq!(bytes.len(), TOKEN_BYTES);
        assert_eq!(&bytes[..13], b"NETCODE 1.02\0");
        // One address at 1093: type 2, seven zero groups, then group 0001 little-endian, then the port.
        let mut entry = vec![2];
        entry.extend([0; 14]);
        entry.extend([1, 0]);
        entry.extend(40000u16.to_le_bytes());
        assert_eq!(&bytes[1093..1112], entry.as_slice());
        assert!(bytes[1112 + 64..].iter().all(|&byte| byte == 0));
    }

    #[test]
    fn there_and_back_keeps_every_field_but_the_client_id_in_front() {
        for address in ["127.0.0.1:40000", "[2001:db8::5]:40000"] {
            let address: SocketAddr = address.parse().unwrap();
            let token = minted(address);
            let read = to_renetcode(&from_renetcode(&token).unwrap()).unwrap();
            assert_eq!(read.server_addresses[0], Some(address));
            assert_eq!(read.server_addresses[1], None);
            assert_eq!(
                ConnectToken {
                    client_id: 42,
                    server_addresses: token.server_addresses,
                    ..read
                },
                token
            );
        }
    }

    #[test]
    fn a_token_of_another_length_is_refused() {
        assert!(to_renetcode(&[0; 2047]).is_err());
    }
}
