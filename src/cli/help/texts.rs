//! The parts of the help that are more than the help of one argument: the first page, the exit codes, the flags of
//! `popeye`.

/// The help of the program itself: it fits a screen and leads to the other pages.
pub(crate) const SHORT_HELP: &str = "\
matesolve finds forced mates in chess positions and proves them

Usage: matesolve POSITION [OPTIONS]    solve one position
       matesolve COMMAND …

POSITION is a FEN, an EPD line, a game (PGN), `position …`, or the address of a
lichess or chess.com analysis board; - reads it from standard input.

  --max N, --mate N     the shortest mate of at most N moves; any mate within N
  --defend              in how many moves is the side to move mated?
  --moves, --lines K    every first move with its length; the K fastest
  --time 30s, --nodes 1M, --threads T, --hash 2G, --format json, …

  report                the whole solution of a problem, and whether it is sound
  batch                 solve files of problems
  audit                 is what a collection has published right?
  verify                check a certificate or results
  diagram               draw a position as an SVG picture
  uci                   run as an engine for chess programs
  popeye                solve a file in Popeye's language, print as Popeye does
  solve                 the same as without a command
  bench, merge, compare, puzzles, completions, man, schema, help

matesolve help solve|report|batch|engines says more, matesolve --version which
version this is. Try: matesolve \"5Kbk/6pp/6P1/8/8/8/8/7R w - -\"
";

/// The exit codes of most commands.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
    0  success: a mate was found, or the command did what was asked
    1  the answer is no: no mate within the given length, or a file failed its check
    2  wrong usage, or a file that cannot be read or written
    3  invalid position or line, no position in the input, or a file that cannot be checked
    4  undecided: a limit was reached first, of a batch on at least one line
    5  all lines of the batch are answered, some without a mate, or an entry has twins
    6  batch --check, compare: an answer disagrees; or merge: results are incomplete
   70  internal failure: a result did not pass its check
  130  interrupted";

/// The flags and exit codes of `popeye`.
pub(crate) const POPEYE_FLAGS: &str = "\
Flags, as programs that call Popeye pass them:
  -maxmem N      memory for each search, in KiB, or with a unit: 512M, 2G
  -maxtime N     time for each problem, in seconds
  -maxsol N      end a solution after N keys
  -threads N     threads of a search [default: one for each core]
  -regression    print no version, and a dash instead of times
  -help          print this help
  -heartbeat N, -maxtrans N, -maxpos N, -maxtrace N, -nogreek and -notraceptr are ignored

A link to matesolve with the name popeye or py acts as `matesolve popeye`.

Exit codes:
    0  the input was read to its end; what is not solved has a sentence in its place
    2  wrong usage, or a file that cannot be read
    3  the input is not in Popeye's language
   70  internal failure: a result did not pass its check
  130  interrupted";

/// The exit codes of `report`.
pub(crate) const REPORT_EXIT_CODES: &str = "\
Exit codes:
    0  sound
    1  unsound: cooked, a short solution, or no solution
    2  wrong usage, or a file that cannot be read
    3  invalid position, or a collection without entries
    4  undecided: a limit was reached first
    5  the collection is finished, but not every entry is sound in all its phases
   70  internal failure: a result did not pass its check
  130  interrupted";

#[cfg(test)]
mod tests {
    #[test]
    fn the_short_help_fits_a_screen() {
        assert!(super::SHORT_HELP.lines().count() <= 25);
        assert!(super::SHORT_HELP.lines().all(|line| line.chars().count() <= 80));
    }
}
