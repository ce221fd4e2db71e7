//! Flags of the form `--name value`; a flag may be given several times.

use std::fmt::Display;
use std::net::SocketAddr;
use std::str::FromStr;

/// The flags of one call.
pub struct Args(Vec<(String, String)>);

impl Args {
    /// Reads pairs of flag and value. `--raw` is the only flag without a value.
    pub fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut pairs = Vec::new();
        while let Some(word) = words.next() {
            let name = word
                .strip_prefix("--")
                .ok_or_else(|| format!("expected a flag, got {word}"))?;
            let value = match name {
                "raw" => String::new(),
                _ => words.next().ok_or_else(|| format!("--{name} wants a value"))?,
            };
            pairs.push((name.to_owned(), value));
        }
        Ok(Self(pairs))
    }

    /// Whether the flag was given at all.
    pub fn has(&self, name: &str) -> bool {
        self.all(name).next().is_some()
    }

    /// Every value of a flag, in the order given.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0
            .iter()
            .filter(move |(flag, _)| flag == name)
            .map(|(_, value)| value.as_str())
    }

    /// The text of a flag that must be there.
    pub fn text<'a>(&'a self, name: &'a str) -> Result<&'a str, String> {
        self.all(name).last().ok_or_else(|| format!("--{name} is missing"))
    }

    /// The value of a flag that must be there.
    pub fn value<T: FromStr<Err: Display>>(&self, name: &str) -> Result<T, String> {
        let text = self.text(name)?;
        text.parse().map_err(|error| format!("--{name} {text}: {error}"))
    }

    /// The value of a flag, or a default.
    pub fn value_or<T: FromStr<Err: Display>>(&self, name: &str, default: T) -> Result<T, String> {
        if self.has(name) {
            self.value(name)
        } else {
            Ok(default)
        }
    }

    /// Every value of an address flag, at least one.
    pub fn addresses(&self, name: &str) -> Result<Vec<SocketAddr>, String> {
        self.text(name)?;
        self.all(name)
            .map(|text| text.parse().map_err(|error| format!("--{name} {text}: {error}")))
            .collect()
    }

    /// A 32-byte key in hex.
    pub fn key(&self, name: &str) -> Result<[u8; 32], String> {
        unhex(self.text(name)?)?
            .try_into()
            .map_err(|_| format!("--{name}: expected 64 hex digits"))
    }
}

/// Lower-case hex.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Bytes of a hex text.
pub fn unhex(text: &str) -> Result<Vec<u8>, String> {
    if !text.is_ascii() || text.len() & 1 == 1 {
        return Err("expected an even number of hex digits".to_owned());
    }
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).map_err(|error| error.to_string()))
        .collect()
}
