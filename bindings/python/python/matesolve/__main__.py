"""The command `matesolve`, the same program as the one that `cargo install matesolve` installs."""

import signal
import sys

from matesolve import _matesolve


def main() -> int:
    """Runs the command line and returns its exit code."""
    # The program handles Ctrl-C itself: it prints what is proved by then.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _matesolve.run_command_line(["matesolve", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
