"""A foreign controller for espbench's host, behind TCP, and a Bumble peripheral within its reach.

Prints `port NUMBER`, then `passkey NUMBER shown` when a central pairs, and `written HEX` for each value it gets. With
the argument `compare` it compares numbers with the central, and prints `number NUMBER shown`; with `hostile` its name is
made for spoiling terminals. With `silent` it never answers a read of 7E570000-0001, with `leaving` it disconnects
instead. What is written to its serial line, an HM-10's, comes back; `bye` ends the connection."""
import asyncio
import socket
import sys

from bumble.controller import Controller
from bumble.core import UUID, AdvertisingData
from bumble.device import Device
from bumble.gatt import Characteristic, CharacteristicValue, Descriptor, Service
from bumble.hci import Address, LeFeatureMask
from bumble.host import Host
from bumble.link import LocalLink
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.transport.common import AsyncPipeSink
from bumble.transport.tcp_server import open_tcp_server_transport_with_socket

NAME = "\x1b[2J\r\n\u202e\u706f".encode() if "hostile" in sys.argv else b"Bumble Peer"
BASE = "7E570000-{:04X}-4000-8000-00805F9B34FB"


def say(*words):
    print(*words, flush=True)


class Delegate(PairingDelegate):
    def __init__(self):
        super().__init__(
            io_capability=PairingDelegate.DISPLAY_OUTPUT_AND_YES_NO_INPUT
            if "compare" in sys.argv
            else PairingDelegate.DISPLAY_OUTPUT_ONLY
        )

    async def compare_numbers(self, number, digits):
        say("number", f"{number:06}", "shown")
        return True

    async def display_number(self, number, digits):
        say("passkey", f"{number:06}", "shown")


class ResettableController(Controller):
    """Bumble's answers HCI Reset and does nothing: what a host that went away had begun would go on."""

    def on_hci_reset_command(self, command):
        self.le_scan_enable = False
        return super().on_hci_reset_command(command)


async def main():
    link = LocalLink()
    own = Controller("peripheral", link=link, public_address="F0:F1:F2:F3:F4:01")
    device = Device("Bumble Peer", address=Address("F0:F1:F2:F3:F4:01"), host=Host(own, AsyncPipeSink(own)))
    device.pairing_config_factory = lambda _: PairingConfig(
        sc=True, mitm=True, bonding=True, delegate=Delegate(), identity_address_type=PairingConfig.AddressType.RANDOM
    )
    properties = Characteristic.Properties
    level = Characteristic(UUID(0x2A19), properties.READ | properties.NOTIFY, Characteristic.READABLE, bytes([42]))

    async def notify(connection):
        await device.notify_subscriber(connection, level, bytes([43]))

    async def flood(connection, count):
        for number in range(count):
            await device.notify_subscriber(connection, level, number.to_bytes(4, "little"))

    def on_write(connection, value):
        say("written", bytes(value).hex())
        if value.startswith(b"flood"):
            asyncio.ensure_future(flood(connection, int.from_bytes(value[5:], "little")))
        elif value.startswith(b"size"):
            asyncio.ensure_future(device.notify_subscriber(connection, level, bytes(int(value[4:]))))
        elif value == b"end":
            asyncio.ensure_future(connection.disconnect())
        else:
            asyncio.ensure_future(notify(connection))

    async def never(connection):
        if "leaving" in sys.argv:
            await connection.disconnect()
        await asyncio.Event().wait()

    hangs = "silent" in sys.argv or "leaving" in sys.argv
    device.add_service(Service(UUID(0x180F), [level]))

    def on_serial(connection, value):
        say("serial", bytes(value).hex())
        if value == b"bye":
            asyncio.ensure_future(connection.disconnect())
        else:
            asyncio.ensure_future(device.notify_subscriber(connection, line, bytes(value)))

    line = Characteristic(
        UUID(0xFFE1),
        properties.WRITE_WITHOUT_RESPONSE | properties.NOTIFY,
        Characteristic.WRITEABLE,
        CharacteristicValue(write=on_serial),
    )
    device.add_service(Service(UUID(0xFFE0), [line]))
    device.add_service(
        Service(
            BASE.format(0),
            [
                Characteristic(
                    BASE.format(1),
                    properties.READ | properties.WRITE | properties.WRITE_WITHOUT_RESPONSE,
                    Characteristic.READABLE | Characteristic.WRITEABLE,
                    CharacteristicValue(read=never if hangs else lambda _: b"echo", write=on_write),
                    [
                        Descriptor(UUID(0x2901), Descriptor.READABLE, b"what it is"),
                        Descriptor(UUID(0x2904), Descriptor.READABLE, bytes.fromhex("0efe2f2701 0000")),
                    ],
                ),
                Characteristic(
                    BASE.format(2),
                    properties.READ,
                    Characteristic.READABLE | Characteristic.READ_REQUIRES_ENCRYPTION,
                    b"secret",
                ),
            ],
        )
    )
    device.advertising_data = bytes(
        AdvertisingData(
            [
                (AdvertisingData.FLAGS, b"\6"),
                (AdvertisingData.COMPLETE_LOCAL_NAME, NAME),
                (AdvertisingData.INCOMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS, bytes(UUID(0x180F))),
                (AdvertisingData.MANUFACTURER_SPECIFIC_DATA, b"\xe5\x02\x01"),
            ]
        )
    )
    await device.power_on()
    await device.start_advertising(auto_restart=True)
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    transport = await open_tcp_server_transport_with_socket(listener)
    other = ResettableController(
        "central", host_source=transport.source, host_sink=transport.sink, link=link,
        public_address="F0:F1:F2:F3:F4:02",
    )
    for controller in own, other:
        # With it, Bumble 0.0.236 reports extended advertising also to a host that scans with legacy commands.
        controller.le_features &= ~LeFeatureMask.LE_EXTENDED_ADVERTISING
    # It sends data with its random address, also on connections that were made with the public one.
    other.random_address = other.public_address
    say("port", listener.getsockname()[1])
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


asyncio.run(main())
