//! `credence COMMAND`: scenarios, experiments and reports on the command line.
//!
//! This page reads which command is meant and says how it ended: exit code 0 when it did what it was asked, 1 when something failed or was
//! found wrong, 2 when the command line could not be understood. Each command is a module of `command`. Results go to standard output,
//! progress and errors to standard error; nothing is asked for.

mod args;
mod cast;
mod command;
mod endpoint;
mod endpoints;
mod experiment;
mod files;
mod out;
mod store;

use std::process::ExitCode;

use args::{Args, Usage};
use out::say;

/// One command.
struct Command {
    name: &'static str,
    about: &'static str,
    help: &'static str,
    /// Whether it takes the options of a cast.
    plays: bool,
    run: fn(Args) -> anyhow::Result<bool>,
}

const COMMANDS: &[Command] = &[
    Command {
        name: "run",
        about: "play one scenario and keep its record",
        help: command::run::HELP,
        plays: true,
        run: command::run::run,
    },
    Command {
        name: "matrix",
        about: "play an experiment: conditions × scenarios × repetitions",
        help: command::matrix::HELP,
        plays: true,
        run: command::matrix::run,
    },
    Command {
        name: "report",
        about: "write the reports of kept experiments anew",
        help: command::report::HELP,
        plays: false,
        run: command::report::run,
    },
    Command {
        name: "re-evaluate",
        about: "judge kept runs again by a model",
        help: command::reevaluate::HELP,
        plays: true,
        run: command::reevaluate::run,
    },
    Command {
        name: "scenarios",
        about: "check scenario files, or list them",
        help: command::scenarios::HELP,
        plays: false,
        run: command::scenarios::run,
    },
];

fn main() -> ExitCode {
    match dispatch(Args::from_env()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            if error.is::<Usage>() { ExitCode::from(2) } else { ExitCode::FAILURE }
        }
    }
}

/// Runs a command. `false`: it ran, and found something wrong, in its own words.
fn dispatch(mut args: Args) -> anyhow::Result<bool> {
    if args.flag("--version") {
        say!("credence {}", env!("CARGO_PKG_VERSION"));
        return Ok(true);
    }
    let asks = args.flag("--help") || args.flag("-h");
    let mut name = args.word();
    let asks = asks || name.is_none() || name.as_deref() == Some("help");
    if name.as_deref() == Some("help") {
        name = args.word();
    }
    let Some(name) = name else {
        say!("{}", overview());
        return Ok(true);
    };
    let known = COMMANDS.iter().find(|command| command.name == name);
    let command = known
        .ok_or_else(|| Usage::new(format!("there is no command `{name}`; `credence help` lists them")))?;
    if asks {
        say!("{}", command.help);
        if command.plays {
            say!("\n{}", cast::HELP);
        }
        return Ok(true);
    }
    (command.run)(args)
}

fn overview() -> String {
    let mut text = "credence COMMAND\n\n".to_owned();
    for command in COMMANDS {
        text.push_str(&format!("  {:12} {}\n", command.name, command.about));
    }
    text + "  help         this list; `credence help COMMAND` or `credence COMMAND --help`: its options\n\n\
            Without --endpoint everything is played offline by the simulated narrator, which is a model of nothing real.\n\
            Exit code 0: done. 1: something failed or was found wrong. 2: the command line was not understood."
}
