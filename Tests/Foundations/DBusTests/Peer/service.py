"""A service on a bus, by dbus-fast: an implementation of D-Bus independent of ours. usage: service.py BUS-ADDRESS

org.example.Peer answers the methods of any interface and path. Prints "ready" when it has its name.
"""
import asyncio
import os
import socket
import sys

from dbus_fast import Message, MessageType
from dbus_fast.aio import MessageBus

kept = []


def answer(bus, call):
    if call.message_type != MessageType.METHOD_CALL or call.interface != "org.example.Peer":
        return None
    match call.member:
        case "Echo":
            return Message.new_method_return(call, call.signature, call.body, call.unix_fds)
        case "Fail":
            return Message.new_error(call, "org.example.Error.Purpose", "it was asked for")
        case "Never":
            return True
        case "Die":
            os._exit(1)
        case "Descriptor":
            # A packet socket with packets in it, one of them empty.
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            for packet in (b"one", b"", b"three"):
                ours.send(packet)
            kept.append(ours)
            return Message.new_method_return(call, "hq", [0, 517], [os.dup(theirs.fileno())])
        case "SendAndSignal":
            kept[-1].send(b"four")
            bus.send(Message.new_signal("/peer", "org.example.Peer", "Sent", "s", ["after four"]))
            return Message.new_method_return(call)
        case "CloseDescriptor":
            kept.pop().close()
            return Message.new_method_return(call)
    return None


async def main():
    bus = await MessageBus(bus_address=sys.argv[1], negotiate_unix_fd=True).connect()
    bus.add_message_handler(lambda call: answer(bus, call))
    await bus.request_name("org.example.Peer")
    print("ready", flush=True)
    await bus.wait_for_disconnect()


asyncio.run(main())
