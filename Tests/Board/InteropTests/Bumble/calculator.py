"""Bumble as the central of a board that runs Firmware/Calculator, or of an equivalent peripheral in Swift."""
from bench import connect, device, find, run, say, soon
from bumble.att import ATT_Error
from bumble.core import UUID, AdvertisingData
from bumble.device import Peer
from bumble.hci import Address
import asyncio

SERVICE = UUID("EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079")
INPUT = UUID("C1AB2C55-7914-4140-B85B-879C5E252FE5")
OUTPUT = UUID("643954A4-A6CC-455C-825C-499190CE7DB0")


async def refused(awaitable, code):
    try:
        await soon(awaitable)
    except ATT_Error as error:
        assert error.error_code == code, error
    else:
        raise AssertionError(f"expected the ATT error {code:02x}")


async def main(port, address, mtu=247):
    async with device(port) as central:
        seen = await find(central, lambda it: it.address == Address(address, Address.PUBLIC_DEVICE_ADDRESS))
        assert seen.data.get(AdvertisingData.Type.FLAGS) == 6, seen
        assert seen.data.get(AdvertisingData.Type.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS) == [SERVICE], seen
        assert -60 < seen.rssi < -20, seen.rssi

        for round in range(3):
            peer = Peer(await connect(central, seen.address))
            if round:
                assert await soon(peer.request_mtu(int(mtu))) == int(mtu)
            await soon(peer.discover_services())
            assert [service.handle for service in peer.services] == [1, 6, 14], peer.services
            await soon(peer.discover_characteristics())
            (requests,), (output,) = (peer.get_characteristics_by_uuid(uuid) for uuid in (INPUT, OUTPUT))
            await soon(output.discover_descriptors())
            (name,) = await soon(peer.read_characteristics_by_uuid(UUID(0x2A00)))
            assert name == b"Test Peripheral", name

            answers = asyncio.Queue()
            await soon(output.subscribe(answers.put_nowait))
            for a, b in ((0, 0), (9, 6), (255, 255), (7, 250)):
                for operation, answer in enumerate((a + b, a - b, a * b)):
                    for with_response in (False, True):
                        await soon(requests.write_value(bytes([a, b, operation]), with_response=with_response))
                        came = await soon(answers.get())
                        assert came == bytes([answer & 255]), (a, b, operation, came)
                        assert await soon(output.read_value()) == came
            await refused(requests.read_value(), 0x02)
            await refused(output.write_value(b"\1", with_response=True), 0x03)
            await refused(peer.gatt_client.read_value(0x99), 0x01)
            await soon(output.unsubscribe())
            await soon(requests.write_value(bytes([1, 1, 0]), with_response=True))
            assert answers.empty()
            await soon(peer.connection.disconnect())
            say("round", round)


run(main)
