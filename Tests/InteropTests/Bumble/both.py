"""Bumble's host on two of our controllers."""
from bench import connect, device, find, run, say, soon
from bumble.core import UUID, AdvertisingData, ConnectionError as BumbleConnectionError
from bumble.device import Peer
from bumble.gatt import Characteristic, Service
import asyncio

ROUNDS = 20


def ended(connection):
    """The reason of the end of `connection`, once it has ended."""
    future = asyncio.get_running_loop().create_future()
    connection.on("disconnection", future.set_result)
    return future


async def connects(central, peripheral):
    """Many connections in a row, ended by either side, each with a few requests."""
    reasons = {False: (0x16, 0x13), True: (0x13, 0x16)}
    for round in range(ROUNDS):
        arrived = asyncio.get_running_loop().create_future()
        peripheral.once("connection", arrived.set_result)
        mine = await connect(central, peripheral.random_address)
        theirs = await soon(arrived)
        peer = Peer(mine)
        (name,) = await soon(peer.read_characteristics_by_uuid(UUID(0x2A00)))
        assert name == b"Both", name
        ends = [ended(mine), ended(theirs)]
        by_peripheral = round % 2 == 1
        await soon((theirs if by_peripheral else mine).disconnect())
        came = tuple([await soon(end) for end in ends])
        assert came == reasons[by_peripheral], (round, came)
    say("connects")


async def main(port, kind):
    async with device(port, "Hunter", "F0:F0:F0:F0:F0:01") as central, device(
        port, "Both", "F0:F0:F0:F0:F0:02"
    ) as peripheral:
        properties = Characteristic.Properties
        value = Characteristic(
            UUID(0xA001), properties.READ | properties.WRITE | properties.NOTIFY, Characteristic.READABLE | Characteristic.WRITEABLE, b"value"
        )
        peripheral.add_service(Service(UUID(0xA000), [value]))
        peripheral.advertising_data = bytes(AdvertisingData([(AdvertisingData.COMPLETE_LOCAL_NAME, b"Both")]))
        await soon(peripheral.start_advertising(auto_restart=True))
        seen = await find(central, lambda it: it.address == peripheral.random_address)
        assert seen.data.get(AdvertisingData.Type.COMPLETE_LOCAL_NAME) == "Both", seen
        await connects(central, peripheral)


run(main)
