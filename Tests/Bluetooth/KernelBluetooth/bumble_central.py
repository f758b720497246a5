"""Bumble as a central of the sensor that PublishProgram publishes. usage: bumble_central.py HOST:PORT LOG

The controller is one of espbench's, behind H4 at HOST:PORT; LOG is what PublishProgram prints. It finds the sensor by its
name, uses everything, pairs with the passkey that is shown, and writes the end.
"""
import asyncio
import sys

from bumble.att import ATT_Error
from bumble.core import UUID, AdvertisingData
from bumble.device import Device, DeviceConfiguration, Peer
from bumble.hci import Address
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.transport import open_transport

NAME = "Published"
SERVICE, MEASUREMENT, CONTROL = UUID.from_16_bits(0x180D), UUID.from_16_bits(0x2A37), UUID.from_16_bits(0x2A39)
ALARM, LONG, ENCRYPTED, AUTHENTICATED = (UUID.from_16_bits(number) for number in range(0xAA01, 0xAA05))


def soon(awaitable, seconds=60):
    return asyncio.wait_for(awaitable, seconds)


def check(what, found, wanted):
    assert found == wanted, f"{what}: expected {wanted}, got {found}"
    print("ok:", what, flush=True)


class Typist(PairingDelegate):
    """Enters the passkey that the other side shows."""

    def __init__(self, log):
        super().__init__(self.KEYBOARD_INPUT_ONLY)
        self.log = log

    async def get_number(self):
        while True:
            with open(self.log) as lines:
                shown = [line.split()[1] for line in lines if line.startswith("passkey ")]
            if shown:
                return int(shown[-1])
            await asyncio.sleep(0.1)


async def find(device):
    """The address of what advertises the name."""
    found = asyncio.get_running_loop().create_future()

    def heard(advertisement):
        if advertisement.data.get(AdvertisingData.Type.COMPLETE_LOCAL_NAME) == NAME and not found.done():
            found.set_result(advertisement)

    device.on("advertisement", heard)
    await device.start_scanning(filter_duplicates=False)
    advertisement = await soon(found)
    await device.stop_scanning()
    uuids = advertisement.data.get(AdvertisingData.Type.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS)
    check("it advertises its service", uuids, [SERVICE])
    company = advertisement.data.get(AdvertisingData.Type.MANUFACTURER_SPECIFIC_DATA)
    check("it advertises its manufacturer data", company, (0x02E5, bytes([1, 2, 3])))
    return advertisement.address


async def code(awaitable):
    try:
        await soon(awaitable)
    except ATT_Error as error:
        return error.error_code
    return None


async def values(characteristic, count, trigger):
    """The first values that it sends."""
    received = []
    complete = asyncio.get_running_loop().create_future()

    def came(value):
        received.append(bytes(value))
        if len(received) == count:
            complete.set_result(None)

    await soon(characteristic.subscribe(came))
    await trigger()
    await soon(complete)
    return received


async def use(device, log):
    connection = await soon(device.connect(await find(device)))
    gone = asyncio.get_running_loop().create_future()
    connection.on("disconnection", gone.set_result)
    peer = Peer(connection)
    await soon(peer.request_mtu(247))
    await soon(peer.discover_all())

    def characteristic(uuid):
        return peer.get_characteristics_by_uuid(uuid)[0]

    control, alarm = characteristic(CONTROL), characteristic(ALARM)

    def write(*value):
        return soon(control.write_value(bytes(value), with_response=True))

    check("a value is read", await soon(characteristic(MEASUREMENT).read_value()), bytes([0, 60]))
    value = await soon(characteristic(LONG).read_value())
    check("a long value is read", value, bytes(number * 7 % 256 for number in range(300)))
    received = await values(characteristic(MEASUREMENT), 20, lambda: write(1, 20))
    check("notifications come in order", received, [bytes([number, 0]) for number in range(20)])
    received = await values(alarm, 1, lambda: write(2, 33))
    check("an indication comes", received, [bytes([33])])
    check("a write is refused", await code(control.write_value(bytes([3, 0x85]), with_response=True)), 0x85)
    for uuid in (ENCRYPTED, AUTHENTICATED):
        refusal = await code(characteristic(uuid).read_value())
        assert refusal in (0x05, 0x0F), refusal
    device.pairing_config_factory = lambda _: PairingConfig(
        sc=True, mitm=True, delegate=Typist(log), identity_address_type=PairingConfig.AddressType.RANDOM
    )
    await soon(connection.pair())
    check("an encrypted value is read", await soon(characteristic(ENCRYPTED).read_value()), bytes([7]))
    check("an authenticated value is read", await soon(characteristic(AUTHENTICATED).read_value()), bytes([42]))
    await write(9)
    await soon(gone)
    print("ok: it ends the connection when it is withdrawn", flush=True)


async def main():
    async with await open_transport(f"tcp-client:{sys.argv[1]}") as (source, sink):
        address = Address("F0:F1:F2:F3:F4:F5", Address.RANDOM_DEVICE_ADDRESS)
        device = Device.from_config_with_hci(DeviceConfiguration(name="Bumble", address=address), source, sink)
        await soon(device.power_on())
        await use(device, sys.argv[2])


asyncio.run(main())
