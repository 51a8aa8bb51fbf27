//! Running other programs: one line that says what, an error that says what failed and with which words.

use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::paths;

/// Says what is being done, on standard error.
pub(crate) fn step(what: &str) {
    eprintln!("• {what}");
}

/// A program to run from the checkout's top folder.
pub(crate) struct Cmd {
    program: OsString,
    command: Command,
}

impl Cmd {
    pub(crate) fn new(program: impl AsRef<OsStr>) -> Self {
        let mut command = Command::new(program.as_ref());
        command.current_dir(paths::root());
        Self { program: program.as_ref().to_owned(), command }
    }

    /// The cargo that started us, so that `cargo +TOOLCHAIN xtask` holds for what we start.
    pub(crate) fn cargo() -> Self {
        let mut cmd = Self::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        // Set by `cargo run` for us; a build started from here must not look as if it were part of xtask's package.
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("CARGO_PKG_") || name == "CARGO_MANIFEST_DIR" {
                cmd.command.env_remove(name);
            }
        }
        cmd
    }

    pub(crate) fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.command.arg(arg);
        self
    }

    pub(crate) fn args<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(mut self, args: I) -> Self {
        self.command.args(args);
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub(crate) fn without_env(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    pub(crate) fn folder(mut self, folder: impl AsRef<Path>) -> Self {
        self.command.current_dir(folder);
        self
    }

    /// Puts a folder in front of PATH.
    pub(crate) fn path_first(self, folder: &Path) -> Result<Self> {
        let mut folders = vec![folder.to_owned()];
        folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
        let joined =
            std::env::join_paths(folders).with_context(|| format!("putting {} on PATH", folder.display()))?;
        Ok(self.env("PATH", joined))
    }

    fn line(&self) -> String {
        let program = Path::new(&self.program).file_stem().unwrap_or(&self.program);
        let mut line = program.to_string_lossy().into_owned();
        for arg in self.command.get_args() {
            line.push(' ');
            line.push_str(&arg.to_string_lossy());
        }
        line
    }

    fn cannot_start(&self) -> String {
        format!("cannot start `{}`; is it installed and on PATH?", self.program.to_string_lossy())
    }

    /// Runs it with our own output; an error when it fails.
    pub(crate) fn run(mut self) -> Result<()> {
        let status = self.command.stdin(Stdio::null()).status().with_context(|| self.cannot_start())?;
        if !status.success() {
            bail!("`{}` failed ({status})", self.line());
        }
        Ok(())
    }

    /// Runs it showing its progress on a terminal; elsewhere as [`Cmd::run_silently`].
    pub(crate) fn run_quietly(self) -> Result<()> {
        if std::io::stderr().is_terminal() { self.run() } else { self.run_silently() }
    }

    /// Runs it; its words are shown only when it fails.
    pub(crate) fn run_silently(mut self) -> Result<()> {
        let output = self.command.stdin(Stdio::null()).output().with_context(|| self.cannot_start())?;
        if output.status.success() {
            return Ok(());
        }
        let words = String::from_utf8_lossy(&output.stderr);
        let mut tail: Vec<&str> = words.lines().rev().take(30).collect();
        tail.reverse();
        bail!("`{}` failed ({}):\n{}", self.line(), output.status, tail.join("\n"));
    }

    /// Runs it and returns its standard output; its standard error is ours.
    pub(crate) fn capture(mut self) -> Result<String> {
        let output = self
            .command
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()
            .with_context(|| self.cannot_start())?;
        if !output.status.success() {
            bail!("`{}` failed ({})", self.line(), output.status);
        }
        String::from_utf8(output.stdout)
            .with_context(|| format!("the output of `{}` is not text", self.line()))
    }

    /// Runs it, shows each line of its standard output as it comes, and returns whether it succeeded and the lines.
    pub(crate) fn tee(mut self) -> Result<(bool, Vec<String>)> {
        let mut child = self
            .command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| self.cannot_start())?;
        let mut lines = Vec::new();
        if let Some(stdout) = child.stdout.take() {
            let mut reader = BufReader::new(stdout);
            let mut bytes = Vec::new();
            while reader.read_until(b'\n', &mut bytes)? > 0 {
                let line = String::from_utf8_lossy(&bytes).trim_end().to_owned();
                println!("{line}");
                lines.push(line);
                bytes.clear();
            }
        }
        std::io::stdout().flush()?;
        let status = child.wait()?;
        Ok((status.success(), lines))
    }

    /// Starts it in the background; dropping the guard ends it.
    pub(crate) fn background(mut self) -> Result<Background> {
        let child = self
            .command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| self.cannot_start())?;
        Ok(Background(child))
    }

    /// Starts a server in the background and returns the first line that it prints: its address.
    pub(crate) fn serve(mut self) -> Result<(Background, String)> {
        let mut child = self
            .command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| self.cannot_start())?;
        let stdout = child.stdout.take();
        let server = Background(child);
        let mut line = String::new();
        if let Some(stdout) = stdout {
            BufReader::new(stdout).read_line(&mut line)?;
        }
        if line.trim().is_empty() {
            bail!("`{}` ended without saying its address", self.line());
        }
        Ok((server, line.trim().to_owned()))
    }

    /// Whether it starts and succeeds; its output is thrown away.
    pub(crate) fn succeeds(mut self) -> bool {
        self.command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    }

    /// Its standard output, when it starts and succeeds; its standard error is thrown away.
    pub(crate) fn answer(mut self) -> Option<String> {
        let output = self.command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }
}

/// A program in the background, ended with its guard.
pub(crate) struct Background(Child);

impl Background {
    /// Whether it has ended by itself.
    pub(crate) fn has_ended(&mut self) -> bool {
        matches!(self.0.try_wait(), Ok(Some(_)))
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // Both fail only when the process has ended by itself.
        let _ended = self.0.kill();
        let _reaped = self.0.wait();
    }
}

/// A program of this name on PATH.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    let name = if cfg!(windows) { format!("{name}.exe") } else { name.to_owned() };
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|folder| folder.join(&name))
        .find(|path| path.is_file())
}
