"""Resets the board behind a tty by RTS, and reads its console until a text comes: console.py TTY TEXT."""
import sys
import time

import serial

port = serial.Serial(sys.argv[1], 115200, timeout=0.2)
port.dtr = False
port.rts = True
time.sleep(0.1)
port.reset_input_buffer()
port.rts = False
log = b""
end = time.monotonic() + 60
while sys.argv[2].encode() not in log and time.monotonic() < end:
    log += port.read(4096)
print(log.decode(errors="replace")[-600:])
sys.exit(sys.argv[2].encode() not in log)
