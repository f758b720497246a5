"""Something on a bus that has the name org.bluez and misbehaves. usage: strange.py BUS-ADDRESS MODE

Prints "ready" when it has the name. The real bluetoothd is tested in the virtual machine.
"""
import asyncio
import os
import sys

from dbus_fast import Message, MessageType, Variant
from dbus_fast.aio import MessageBus

mode = sys.argv[2]
ADAPTER = "/org/bluez/hci0"
DEVICE = ADAPTER + "/dev_24_0A_C4_00_01_10"
connecting = []
attempts = []
agents = []
# The calls of GetManagedObjects.
readings = []
# Of "slow-stop": the calls of StopDiscovery that are not answered.
stopping = []
discovering = []
# Of "link-ends", "link-resolves" and "link-stays": a connection that was there before.
linked = mode.startswith("link-")


def adapter(powered):
    return {"org.bluez.Adapter1": {"Powered": Variant("b", powered)}}


def objects():
    match mode:
        case "nothing":
            return "a{oa{sa{sv}}}", [{}]
        case "nonsense":
            return "s", ["nonsense"]
        case "types":
            # Properties of other types than BlueZ's.
            device = {"Address": Variant("u", 7), "Connected": Variant("s", "yes"), "UUIDs": Variant("y", 1)}
            return "a{oa{sa{sv}}}", [{ADAPTER: adapter(True), DEVICE: {"org.bluez.Device1": device}}]
        case "deaf" | "forgetful" | "pairing":
            device = {"Address": Variant("s", "24:0A:C4:00:01:10"), "AddressType": Variant("s", "public")}
            return "a{oa{sa{sv}}}", [{ADAPTER: adapter(True), DEVICE: {"org.bluez.Device1": device}}]
        case "link-ends" | "link-resolves" | "link-stays":
            device = {
                "Address": Variant("s", "24:0A:C4:00:01:10"),
                "AddressType": Variant("s", "public"),
                "Connected": Variant("b", linked),
                "ServicesResolved": Variant("b", False),
            }
            return "a{oa{sa{sv}}}", [{ADAPTER: adapter(True), DEVICE: {"org.bluez.Device1": device}}]
        case "overtaken-1" | "overtaken-2":
            device = {
                "Address": Variant("s", "24:0A:C4:00:01:10"),
                "AddressType": Variant("s", "public"),
                "Connected": Variant("b", len(readings) > 1),
                "ServicesResolved": Variant("b", len(readings) > 1),
                "Paired": Variant("b", False),
                "Bonded": Variant("b", False),
            }
            return "a{oa{sa{sv}}}", [{ADAPTER: adapter(True), DEVICE: {"org.bluez.Device1": device}}]
        case "blocked":
            return "a{oa{sa{sv}}}", [{ADAPTER: adapter(False)}]
        case "other":
            return "a{oa{sa{sv}}}", [{"/org/bluez/hci3": adapter(True)}]
        case _:
            return "a{oa{sa{sv}}}", [{ADAPTER: adapter(True)}]


def changed(properties):
    return Message.new_signal(
        DEVICE, "org.freedesktop.DBus.Properties", "PropertiesChanged", "sa{sv}as", ["org.bluez.Device1", properties, []]
    )


async def pair(bus, call):
    """Shows a passkey, again for each key that is pressed, and then a number to compare, as no real pairing does."""
    agent, path = agents[0]

    def ask(member, signature, body):
        return bus.call(
            Message(
                destination=agent, path=path, interface="org.bluez.Agent1", member=member, signature=signature, body=body
            )
        )

    for entered in range(3):
        reply = await ask("DisplayPasskey", "ouq", [DEVICE, 42, entered])
    if reply.message_type == MessageType.METHOD_RETURN:
        reply = await ask("RequestConfirmation", "ou", [DEVICE, 1234])
    if reply.message_type != MessageType.METHOD_RETURN:
        bus.send(Message.new_error(call, "org.bluez.Error.AuthenticationRejected", "Authentication Rejected"))
        return
    bus.send(changed({"Paired": Variant("b", True), "Bonded": Variant("b", True)}))
    bus.send(Message.new_method_return(call))


def change_link(bus):
    global linked
    linked = False
    name = "Connected" if mode == "link-ends" else "ServicesResolved"
    bus.send(changed({name: Variant("b", name != "Connected")}))


def answer_overtaken(bus, call):
    """The objects, and what has changed since they were read, at once."""
    bus.send(Message.new_method_return(call, *objects()))
    bus.send(changed({"Paired": Variant("b", True), "Bonded": Variant("b", True)}))


def answer_stop(bus):
    bus.send(Message.new_method_return(stopping.pop()))


def answer(bus, call):
    if call.message_type != MessageType.METHOD_CALL or call.path == "/org/freedesktop/DBus":
        return None
    if call.member == "GetManagedObjects":
        readings.append(call)
    match call.member:
        case "GetManagedObjects" if mode == f"overtaken-{len(readings)}":
            asyncio.get_running_loop().call_later(0.5, answer_overtaken, bus, call)
            return True
        case "GetManagedObjects":
            return Message.new_method_return(call, *objects())
        case "Set":
            return Message.new_error(call, "org.bluez.Error.Blocked", "Blocked through rfkill")
        case "Connect" if linked:
            return Message.new_error(call, "org.bluez.Error.Failed", "called too early")
        case "Connect" if mode == "pairing" or mode.startswith(("link-", "overtaken-")):
            bus.send(changed({"Connected": Variant("b", True), "ServicesResolved": Variant("b", True)}))
            return Message.new_method_return(call)
        case "RegisterAgent" if mode == "agentless":
            return Message.new_error(call, "org.bluez.Error.AlreadyExists", "Already Exists")
        case "RequestDefaultAgent" if mode in ("link-ends", "link-resolves"):
            asyncio.get_running_loop().call_later(0.3, change_link, bus)
            return Message.new_method_return(call)
        case "RegisterAgent":
            agents.append((call.sender, call.body[0]))
            return Message.new_method_return(call)
        case "Pair":
            asyncio.get_running_loop().create_task(pair(bus, call))
            return True
        case "Connect" if mode == "forgetful" and attempts:
            bus.send(changed({"Connected": Variant("b", True), "ServicesResolved": Variant("b", True)}))
            return Message.new_method_return(call)
        case "Connect":
            # Answered when it is cancelled.
            connecting.append(call)
            attempts.append(call)
            return True
        case "Disconnect" if mode == "link-stays":
            os._exit(1)
        case "Disconnect" if (mode == "forgetful" and not connecting) or mode == "pairing" or mode.startswith(
            ("link-", "overtaken-")
        ):
            bus.send(changed({"Connected": Variant("b", False)}))
            return Message.new_method_return(call)
        case "Disconnect":
            for attempt in connecting:
                bus.send(Message.new_error(attempt, "org.bluez.Error.Failed", "le-connection-abort-by-local"))
            connecting.clear()
            return Message.new_method_return(call)
        case "StopDiscovery" if mode == "slow-stop":
            # As bluetoothd: the client's discovery goes on until the kernel has stopped.
            if not discovering or stopping:
                return Message.new_error(call, "org.bluez.Error.Failed", "No discovery started")
            discovering.clear()
            stopping.append(call)
            asyncio.get_running_loop().call_later(0.2, answer_stop, bus)
            return True
        case "StartDiscovery" if mode == "slow-stop":
            if discovering or stopping:
                return Message.new_error(call, "org.bluez.Error.InProgress", "Operation already in progress")
            discovering.append(call)
            return Message.new_method_return(call)
        case "StartDiscovery" if mode == "dying":
            os._exit(1)
        case "StartDiscovery" if mode == "busy":
            return Message.new_error(call, "org.bluez.Error.InProgress", "Operation already in progress")
        case _:
            return Message.new_method_return(call)


async def main():
    bus = await MessageBus(bus_address=sys.argv[1]).connect()
    bus.add_message_handler(lambda call: answer(bus, call))
    await bus.request_name("org.bluez")
    print("ready", flush=True)
    await bus.wait_for_disconnect()


asyncio.run(main())
