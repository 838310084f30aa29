//! Runs the binary, and provides positions for the tests.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use shakmaty::{CastlingMode, Chess, Position as _, fen::Fen, uci::UciMove};

/// Prinz 1951, the first problem solved by a computer: mate in two.
pub const PRINZ: &str = "5Kbk/6pp/6P1/8/8/8/8/7R w - -";
/// Loyd 1869, "Love Chase": mate in three.
pub const LOVE_CHASE: &str = "5N1k/5Ppp/8/8/2Q3p1/8/8/b6K w - -";
/// King and rook against king, with pawns that block each other: a search finds a mate in about fifty moves within a
/// million nodes. There is none in thirteen.
pub const LATE_MATE: &str = "8/8/8/3k4/8/3p4/3P4/K6R w - -";
/// The initial position of the game: no limit is large enough for an answer.
pub const HARD: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

pub fn matesolve() -> Command {
    Command::new(env!("CARGO_BIN_EXE_matesolve"))
}

/// The exit code and the output of a run.
#[derive(Debug)]
pub struct Run {
    /// The exit code.
    pub code: i32,
    /// The standard output.
    pub out: String,
    /// The standard error.
    pub err: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Run {
        let text = |bytes| String::from_utf8(bytes).expect("matesolve writes UTF-8");
        Run {
            code: output.status.code().expect("matesolve is not killed"),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }
}

pub fn run(arguments: &[&str]) -> Run {
    matesolve().args(arguments).output().expect("the binary runs").into()
}

/// Runs the binary with a text on standard input.
pub fn run_with_input(arguments: &[&str], input: impl AsRef<[u8]>) -> Run {
    let input = input.as_ref();
    let mut command = matesolve();
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary runs");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    std::thread::scope(|scope| {
        // A program that ends early does not read its input.
        scope.spawn(move || stdin.write_all(input).ok());
        child.wait_with_output().expect("the binary ends").into()
    })
}

/// Says that the running test is skipped, and why.
fn say_skipped(why: &str) {
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    // `println!` is captured, so that nobody would see it.
    let _ = writeln!(std::io::stderr(), "skipped: {test}: {why}");
}

/// Returns whether a program that a test needs is installed: whether its `--version` begins with `version`. If not, the
/// test says that it is skipped; with `CI=true` it fails.
pub fn has_program(name: &str, version: &str) -> bool {
    let is_needed = std::env::var_os("CI").is_some_and(|value| value == "true");
    let is_there = may_have_program(name, version, ".ci/setup installs it");
    assert!(is_there || !is_needed, "{name} is not installed; .ci/setup installs it");
    is_there
}

/// The same for a program that no test must have. `how` says how to install it.
pub fn may_have_program(name: &str, version: &str, how: &str) -> bool {
    let output = Command::new(name).arg("--version").output();
    let is_there = output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).starts_with(version));
    if !is_there {
        say_skipped(&format!("{name} is not installed ({how})"));
    }
    is_there
}

/// Runs a batch over a file with these bytes. Returns the run and the name of the file.
pub fn batch_of(contents: impl AsRef<[u8]>, arguments: &[&str]) -> (Run, String) {
    let file = tempfile::NamedTempFile::new().expect("a temporary file can be created");
    std::fs::write(file.path(), contents).expect("the temporary file can be written");
    let name = file.path().to_str().expect("the name of the temporary file is UTF-8").to_owned();
    let mut all = vec!["batch", &name];
    all.extend(arguments);
    (run(&all), name)
}

/// Plays a line in UCI notation and returns whether it ends in checkmate.
pub fn mates(fen: &str, pv: &[String]) -> bool {
    let fen: Fen = fen.parse().expect("the text is a FEN");
    let mut chess: Chess = fen.into_position(CastlingMode::Chess960).expect("the position can be played");
    for text in pv {
        let m = text.parse::<UciMove>().expect("moves are in UCI notation").to_move(&chess).expect("moves are legal");
        chess.play_unchecked(m);
    }
    chess.is_checkmate()
}

/// Runs the program in a folder with a terminal of this width for standard output and standard error. Returns what the
/// terminal gets.
#[cfg(target_os = "linux")]
pub fn on_a_terminal(columns: u16, folder: &std::path::Path, arguments: &str) -> String {
    use rustix::fs::{Mode, OFlags};
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use rustix::termios::{Winsize, tcsetwinsize};
    use std::io::Read as _;

    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
    grantpt(&terminal).and_then(|()| unlockpt(&terminal)).expect("it is ours");
    let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&terminal, size).expect("it has a size");
    let name = ptsname(&terminal, Vec::new()).expect("it has a name");
    let inner = rustix::fs::open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).expect("it can be opened");
    let mut command = matesolve();
    command.current_dir(folder).args(arguments.split_whitespace()).env("TERM", "xterm").env_remove("NO_COLOR");
    command.stdin(Stdio::null()).stdout(inner.try_clone().unwrap()).stderr(inner);
    let mut child = command.spawn().expect("the binary runs");
    // Reading ends when nobody has the other side open any more.
    drop(command);
    let (mut terminal, mut seen, mut buffer) = (std::fs::File::from(terminal), Vec::new(), [0; 4096]);
    while let Ok(read @ 1..) = terminal.read(&mut buffer) {
        seen.extend(&buffer[..read]);
    }
    child.wait().expect("the program ends");
    String::from_utf8_lossy(&seen).into_owned()
}

/// Returns a text without the codes that move the cursor and colour letters.
pub fn without_codes(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| c.is_ascii_alphabetic()).map_or(part.len(), |end| end + 1);
        plain.push_str(&part[end..]);
    }
    plain
}
