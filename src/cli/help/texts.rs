//! The parts of the help that are more than the help of one argument: the first page, and the flags of `popeye`.

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
  economy, mend, twins, retract   the composer's workbench
  verify                check a certificate or results
  uci                   run as an engine for chess programs
  popeye                solve a file in Popeye's language, print as Popeye does
  bench, compare, completions, diagram, help, join, man, merge, puzzles, schema,
  solve, split

matesolve help solve|report|batch|engines says more, matesolve --version which
version this is. Try: matesolve \"5Kbk/6pp/6P1/8/8/8/8/7R w - -\"
";

/// The flags of `popeye`.
pub(crate) const POPEYE_FLAGS: &str = "\
Flags, as programs that call Popeye pass them:
  -maxmem N      memory for each search, in KiB, or with a unit: 512M, 2G
  -maxtime N     time for each problem, in seconds
  -maxsol N      end a solution after N keys
  -threads N     threads of a search [default: one for each core]
  -regression    print no version, and a dash instead of times
  -help          print this help
  -heartbeat N, -maxtrans N, -maxpos N, -maxtrace N, -nogreek and -notraceptr are ignored

A link to matesolve with the name popeye or py acts as `matesolve popeye`.";

#[cfg(test)]
mod tests {
    #[test]
    fn the_short_help_fits_a_screen() {
        assert!(super::SHORT_HELP.lines().count() <= 25);
        assert!(super::SHORT_HELP.lines().all(|line| line.chars().count() <= 80));
    }
}
