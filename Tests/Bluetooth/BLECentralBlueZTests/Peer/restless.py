"""What bluetoothd 5.66 does while it connects, by hand. usage: restless.py BUS-ADDRESS MODE

"again": the link ends as soon as Connect has been answered, and it connects once more by itself, 0.3 s later.
"others": services are never discovered; another program connects to a device 0.3 s after this one has ended that.
"turns": knows two devices; Connect is answered after 0.2 s, and services are discovered 0.2 s later.
"absent": knows two devices; the first is never connected to.
"unknown": another device is heard in the discovery of the second client, if that has set a filter.
"rounds": the same as "absent"; the second is connected to when a discovery is started, within 1 s, and a third is heard in the
fourth.
What would be lost on the real one ends it: a device that is removed while it connects to it, or stays connected to by
itself, a Connect during another one, a Disconnect of what another program has, and a client that goes while it connects.
Prints "ready" when it has its name.
"""
import asyncio
import os
import sys

from dbus_fast import Message, MessageType, Variant
from dbus_fast.aio import MessageBus

mode = sys.argv[2]
ADAPTER = "/org/bluez/hci0"
DEVICES = [f"{ADAPTER}/dev_24_0A_C4_00_01_1{number}" for number in range(2)]
connected = set()
# Those that it connects to.
connecting = set()
# Those whose links have ended too early once.
tried = set()
# Those whose services it has discovered.
resolved = set()
# Those to which another program has connected.
foreign = set()
# The calls of Connect that wait for a discovery, and those of StartDiscovery.
waiting = []
discoveries = []
# The clients that have set a filter.
filters = set()


def objects():
    tree = {ADAPTER: {"org.bluez.Adapter1": {"Powered": Variant("b", True)}}}
    for number, path in enumerate(DEVICES):
        tree[path] = {
            "org.bluez.Device1": {
                "Address": Variant("s", f"24:0A:C4:00:01:1{number}"),
                "AddressType": Variant("s", "public"),
                "Paired": Variant("b", True),
                "Connected": Variant("b", path in connected),
                "ServicesResolved": Variant("b", False),
            }
        }
    return tree


def change(bus, path, name, value):
    if name == "Connected":
        connecting.discard(path)
        resolved.discard(path)
        (connected.add if value else connected.discard)(path)
    else:
        resolved.add(path)
    bus.send(
        Message.new_signal(
            path,
            "org.freedesktop.DBus.Properties",
            "PropertiesChanged",
            "sa{sv}as",
            ["org.bluez.Device1", {name: Variant("b", value)}, []],
        )
    )


async def connect(bus, call):
    path = call.path
    await asyncio.sleep(0.2)
    change(bus, path, "Connected", True)
    bus.send(Message.new_method_return(call))
    if mode == "again" and path not in tried:
        tried.add(path)
        change(bus, path, "Connected", False)
        connecting.add(path)
        await asyncio.sleep(0.3)
        change(bus, path, "Connected", True)
    await asyncio.sleep(0.2)
    if path in connected and mode != "others":
        change(bus, path, "ServicesResolved", True)


async def connect_other(bus, path):
    await asyncio.sleep(0.3)
    foreign.add(path)
    change(bus, path, "Connected", True)


def appear(bus):
    device = {"Address": Variant("s", "24:0A:C4:00:01:12"), "AddressType": Variant("s", "public"), "RSSI": Variant("n", -50)}
    path = f"{ADAPTER}/dev_24_0A_C4_00_01_12"
    bus.send(
        Message.new_signal(
            "/", "org.freedesktop.DBus.ObjectManager", "InterfacesAdded", "oa{sa{sv}}", [path, {"org.bluez.Device1": device}]
        )
    )


def end_if_waiting(call):
    if call in waiting:
        os._exit(1)


def answer(bus, call):
    if call.message_type != MessageType.METHOD_CALL or call.path == "/org/freedesktop/DBus":
        return None
    match call.member:
        case "GetManagedObjects":
            return Message.new_method_return(call, "a{oa{sa{sv}}}", [objects()])
        case "Connect" if call.path in connected:
            return Message.new_method_return(call)
        case "Connect" if call.path in connecting:
            return Message.new_error(call, "org.bluez.Error.Failed", "Operation already in progress")
        case "Connect" if mode == "turns" and (connecting or connected != resolved):
            os._exit(1)
        case "Connect" if mode in ("absent", "rounds") and call.path == DEVICES[0]:
            connecting.add(call.path)
            return True
        case "Connect" if mode == "rounds":
            waiting.append(call)
            asyncio.get_running_loop().call_later(1, end_if_waiting, call)
            return True
        case "StartDiscovery" if mode == "rounds":
            discoveries.append(call)
            for attempt in waiting:
                asyncio.get_running_loop().create_task(connect(bus, attempt))
            waiting.clear()
            if len(discoveries) == 4:
                appear(bus)
            return Message.new_method_return(call)
        case "SetDiscoveryFilter":
            filters.add(call.sender)
            return Message.new_method_return(call)
        case "StartDiscovery" if mode == "unknown":
            discoveries.append(call)
            if len({start.sender for start in discoveries}) == 2 and call.sender in filters:
                appear(bus)
            return Message.new_method_return(call)
        case "UnregisterAgent" if mode == "absent" and connecting:
            os._exit(1)
        case "Connect":
            connecting.add(call.path)
            asyncio.get_running_loop().create_task(connect(bus, call))
            return True
        case "Disconnect" if mode == "again" and call.path in connecting:
            os._exit(1)
        case "Disconnect" if mode == "absent" and call.path not in connecting | connected or call.path in foreign:
            os._exit(1)
        case "Disconnect":
            if mode == "others":
                asyncio.get_running_loop().create_task(connect_other(bus, call.path))
            connecting.discard(call.path)
            if call.path in connected:
                change(bus, call.path, "Connected", False)
            return Message.new_method_return(call)
        case "RemoveDevice" if call.body[0] in connected | connecting:
            os._exit(1)
        case _:
            return Message.new_method_return(call)


async def main():
    bus = await MessageBus(bus_address=sys.argv[1]).connect()
    bus.add_message_handler(lambda call: answer(bus, call))
    await bus.request_name("org.bluez")
    print("ready", flush=True)
    await bus.wait_for_disconnect()


asyncio.run(main())
