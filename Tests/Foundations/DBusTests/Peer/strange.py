"""A bus that misbehaves. usage: strange.py SOCKET MODE

Prints "ready" when it listens, and serves one client.
"""
import socket
import struct
import sys
import time

path, mode = sys.argv[1:]
server = socket.socket(socket.AF_UNIX)
server.bind(path)
server.listen(1)
print("ready", flush=True)
client, _ = server.accept()


def line():
    text = b""
    while not text.endswith(b"\n"):
        byte = client.recv(1)
        if not byte:
            sys.exit()
        text += byte
    return text


def header(kind, body=0, fields=b"", version=1, order=b"l"):
    return order + bytes([kind, 0, version]) + struct.pack("<III", body, 1, len(fields)) + fields


def stay():
    while client.recv(4096):
        pass


line()
if mode == "silent":
    stay()
if mode == "rejecting":
    client.sendall(b"REJECTED DBUS_COOKIE_SHA1\r\n")
    stay()
if mode == "confused":
    client.sendall(b"220 mail.example.org ESMTP\r\n")
    stay()
if mode == "endless":
    client.sendall(b"O" * 100_000)
    stay()
client.sendall(b"OK 1234deadbeef\r\n")
line()
client.sendall(b"AGREE_UNIX_FD\r\n")
line()
# Hello.
client.recv(4096)
match mode:
    case "order":
        client.sendall(header(2, order=b"x"))
    case "version":
        client.sendall(header(2, version=9))
    case "huge":
        client.sendall(header(2, body=0x7FFFFFFF))
    case "fields":
        client.sendall(b"l\x02\x00\x01" + struct.pack("<III", 0, 1, 0x7FFFFFFF))
    case "type":
        # A path that is an integer.
        client.sendall(header(2, fields=b"\x01\x01u\x00" + struct.pack("<I", 7)))
    case "descriptors":
        client.sendall(header(2, fields=b"\x09\x01u\x00" + struct.pack("<I", 3)))
    case "truncated":
        client.sendall(header(2)[:10])
        sys.exit()
    case "slow":
        # Of a reply to Hello, one byte at a time.
        name = b":1.7"
        fields = b"\x05\x01u\x00" + struct.pack("<I", 1) + b"\x08\x01g\x00\x01s\x00\x00"
        reply = header(2, body=4 + len(name) + 1, fields=fields.rstrip(b"\x00") + b"\x00")
        reply += b"\x00" * (-len(reply) % 8) + struct.pack("<I", len(name)) + name + b"\x00"
        for byte in reply:
            client.sendall(bytes([byte]))
            time.sleep(0.002)
    case _:
        sys.exit(f"unknown mode {mode}")
stay()
