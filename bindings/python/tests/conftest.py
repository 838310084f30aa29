"""Ctrl-C works in the tests however they were started: a shell's background job ignores the signal."""

import signal

signal.signal(signal.SIGINT, signal.default_int_handler)
