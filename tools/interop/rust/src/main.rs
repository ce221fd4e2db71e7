//! Foreign implementations of netcode 1.02 and of the event layer as programs that are driven by lines of JSON: see ../README.md.

mod args;
mod bench_echo;
mod bench_events;
mod bench_load;
mod client;
mod lines;
mod load_clients;
mod mint;
mod official;
mod payload;
mod peer;
mod renet;
mod server;
mod token_form;

use args::Args;

/// What every subcommand answers with; a failure ends the program with status 1 and its text on stderr.
type Outcome = Result<(), Box<dyn std::error::Error>>;

fn main() {
    let mut words = std::env::args().skip(1);
    let command = words.next().unwrap_or_default();
    if let Err(error) = run(&command, words) {
        eprintln!("x-interop {command}: {error}");
        std::process::exit(1);
    }
}

fn run(command: &str, words: impl Iterator<Item = String>) -> Outcome {
    let run: fn(&Args) -> Outcome = match command {
        "server" => server::run,
        "client" => client::run,
        "mint" => mint::run,
        "bench-echo" => bench_echo::run,
        "bench-load" => bench_load::run,
        "bench-events" => bench_events::run,
        _ => return Err("expected a command: server, client, mint, bench-echo, bench-load or bench-events".into()),
    };
    run(&Args::parse(words)?)
}
