"""A bluetoothd for peripherals that does what a test tells it. usage: bluetoothd.py BUS-ADDRESS MODE

It registers what is registered with it, as the real one does, by reading the application's objects and the
advertisement's properties. Tests call its object /test: Ask(path, interface, member, JSON of [signature, arguments])
calls an object of the application and returns its answer as JSON, Log() returns what was called, Emit(member) changes the
adapter, the device or this process. The real bluetoothd is tested in the virtual machine. Prints "ready" when it has the name.
"""
import asyncio
import json
import os
import sys

from dbus_fast import Message, MessageType, Variant
from dbus_fast.aio import MessageBus

mode = sys.argv[2]
ADAPTER = "/org/bluez/hci0"
DEVICE = ADAPTER + "/dev_24_0A_C4_00_01_10"
PROPERTIES = "org.freedesktop.DBus.Properties"
log = []
client = None
paired = mode == "bonded"


def device(connected):
    return {
        "org.bluez.Device1": {
            "Address": Variant("s", "24:0A:C4:00:01:10"),
            "AddressType": Variant("s", "public"),
            "Connected": Variant("b", connected),
            "Paired": Variant("b", paired),
        }
    }


def objects():
    adapter = {
        "org.bluez.Adapter1": {"Powered": Variant("b", mode != "off"), "Pairable": Variant("b", mode != "unpairable")},
        "org.bluez.GattManager1": {},
        "org.bluez.LEAdvertisingManager1": {
            "ActiveInstances": Variant("y", 5 if mode == "full" else 0),
            "SupportedInstances": Variant("y", 0 if mode == "full" else 5),
        },
    }
    if mode == "central-only":
        del adapter["org.bluez.LEAdvertisingManager1"]
    return {ADAPTER: adapter, DEVICE: device(False)}


def plain(value):
    """What JSON has: variants without their types, bytes as numbers."""
    match value:
        case Variant():
            return plain(value.value)
        case bytes():
            return list(value)
        case dict():
            return {str(key): plain(element) for key, element in value.items()}
        case list() | tuple():
            return [plain(element) for element in value]
        case _:
            return value


def varied(signature, value):
    """The arguments of a test: options are [type, value] pairs, bytes are numbers."""
    match signature:
        case "ay":
            return bytes(value)
        case "a{sv}":
            return {key: Variant(*element) for key, element in value.items()}
        case _:
            return value


async def ask(bus, path, interface, member, arguments):
    body = [varied(*argument) for argument in arguments]
    reply = await bus.call(
        Message(
            destination=client,
            path=path,
            interface=interface,
            member=member,
            signature="".join(signature for signature, _ in arguments),
            body=body,
        )
    )
    if reply.message_type == MessageType.ERROR:
        return {"error": reply.error_name, "text": reply.body[0] if reply.body else ""}
    return {"body": plain(reply.body)}


async def register(bus, call):
    """Answers when the objects have been read."""
    global client
    client = call.sender
    path = call.body[0]
    if call.member == "RegisterApplication":
        found = await ask(bus, path, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects", [])
    else:
        found = await ask(bus, path, PROPERTIES, "GetAll", [("s", "org.bluez.LEAdvertisement1")])
    log.append({call.member: path, "found": found})
    if mode == "refusing" and call.member == "RegisterAdvertisement":
        bus.send(Message.new_error(call, "org.bluez.Error.InvalidLength", "Invalid Length"))
    elif mode == "dying":
        os._exit(1)
    else:
        bus.send(Message.new_method_return(call))


async def test(bus, call):
    match call.member:
        case "Ask":
            path, interface, member, arguments = call.body
            answer = await ask(bus, path, interface, member, json.loads(arguments))
            bus.send(Message.new_method_return(call, "s", [json.dumps(answer)]))
        case "Log":
            bus.send(Message.new_method_return(call, "s", [json.dumps(log)]))
        case "Emit":
            emit(bus, call.body[0])
            bus.send(Message.new_method_return(call))


def changed(path, interface, properties):
    return Message.new_signal(path, PROPERTIES, "PropertiesChanged", "sa{sv}as", [interface, properties, []])


def emit(bus, what):
    global paired
    match what:
        case "connected" | "disconnected":
            bus.send(changed(DEVICE, "org.bluez.Device1", {"Connected": Variant("b", what == "connected")}))
        case "paired":
            bus.send(changed(DEVICE, "org.bluez.Device1", {"Paired": Variant("b", True)}))
        case "off":
            bus.send(changed(ADAPTER, "org.bluez.Adapter1", {"Powered": Variant("b", False)}))
        case "removed":
            bus.send(
                Message.new_signal(
                    "/",
                    "org.freedesktop.DBus.ObjectManager",
                    "InterfacesRemoved",
                    "oas",
                    [ADAPTER, ["org.bluez.Adapter1"]],
                )
            )
        case "exit":
            os._exit(0)


def answer(bus, call):
    if call.message_type == MessageType.SIGNAL and call.sender == client and call.interface == PROPERTIES:
        log.append({"signal": call.path, "value": plain(call.body[1])})
        return None
    if call.message_type != MessageType.METHOD_CALL or call.path == "/org/freedesktop/DBus":
        return None
    if call.path == "/test":
        asyncio.get_running_loop().create_task(test(bus, call))
        return True
    match call.member:
        case "GetManagedObjects":
            return Message.new_method_return(call, "a{oa{sa{sv}}}", [objects()])
        case "RegisterApplication" | "RegisterAdvertisement":
            asyncio.get_running_loop().create_task(register(bus, call))
            return True
        case "RegisterAgent" if mode == "agentless":
            return Message.new_error(call, "org.bluez.Error.AlreadyExists", "Already Exists")
        case "Ping":
            return None
        case _:
            log.append({call.member: plain(call.body)})
            return Message.new_method_return(call)


async def main():
    bus = await MessageBus(bus_address=sys.argv[1]).connect()
    bus.add_message_handler(lambda call: answer(bus, call))
    await bus.request_name("org.bluez")
    print("ready", flush=True)
    await bus.wait_for_disconnect()


asyncio.run(main())
