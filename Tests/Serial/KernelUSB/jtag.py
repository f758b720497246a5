"""Resets a chip with USB-Serial-JTAG into its loader and into its application by the lines alone: jtag.py TTY."""
import fcntl
import struct
import sys
import termios
import time

import serial

DTR, RTS = termios.TIOCM_DTR, termios.TIOCM_RTS
port = serial.Serial(sys.argv[1], 115200, timeout=0.2)


def lines(dtr, rts):
    fcntl.ioctl(port.fd, termios.TIOCMSET, struct.pack("I", DTR * dtr | RTS * rts))
    time.sleep(0.1)


def log(text):
    seen, end = b"", time.monotonic() + 30
    while text not in seen and time.monotonic() < end:
        seen += port.read(4096)
    if text not in seen:
        sys.exit(f"expected {text!r}, got {seen[-300:]!r}")


lines(0, 0)
port.reset_input_buffer()
lines(1, 0)
lines(1, 1)
lines(0, 1)
log(b"waiting for download")
lines(0, 0)
lines(0, 1)
lines(0, 0)
log(b"SPI_FAST_FLASH_BOOT")
