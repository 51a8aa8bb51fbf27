//! Results on standard output. A reader that has gone (`| head`) is no failure: the program ends quietly.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write as _};

/// Prints a line.
pub(crate) fn line(text: Arguments<'_>) {
    if let Err(error) = writeln!(std::io::stdout(), "{text}") {
        let is_gone = error.kind() == ErrorKind::BrokenPipe;
        if !is_gone {
            eprintln!("error: standard output: {error}");
        }
        std::process::exit(i32::from(!is_gone));
    }
}

/// Prints a line like `println!`.
macro_rules! say {
    ($($words:tt)*) => { $crate::out::line(format_args!($($words)*)) };
}

pub(crate) use say;
