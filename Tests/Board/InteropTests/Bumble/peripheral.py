"""A Bumble peripheral with a large database, long values, notifications and indications."""
from bench import INTERVAL, device, heard, run, say, soon
import asyncio

from bumble.core import UUID, AdvertisingData
from bumble.gatt import Characteristic, CharacteristicValue, Descriptor, Service

# The same values as in the test.
SERVICES = 16
CHARACTERISTICS = 6
LONG = bytes(index * 7 & 255 for index in range(512))


def uuid(service, characteristic):
    return UUID(f"7E57{service:04X}-{characteristic:04X}-4000-8000-00805F9B34FB")


async def main(port):
    async with device(port, name="Database") as peripheral:
        written = bytearray()

        def on_write(_, value):
            written[:] = value
            say("written", bytes(value).hex())

        properties = Characteristic.Properties
        access = Characteristic.READABLE | Characteristic.WRITEABLE
        notifier = Characteristic(uuid(0, 1), properties.READ | properties.NOTIFY, access, b"\0")
        indicator = Characteristic(uuid(0, 2), properties.READ | properties.INDICATE, access, b"\0")
        value = CharacteristicValue(read=lambda _: bytes(written), write=on_write)
        special = Service(
            uuid(0, 0),
            [
                notifier,
                indicator,
                Characteristic(uuid(0, 3), properties.READ, access, LONG),
                Characteristic(
                    uuid(0, 4), properties.READ | properties.WRITE | properties.WRITE_WITHOUT_RESPONSE, access, value
                ),
            ],
        )
        peripheral.add_service(special)
        for service in range(1, SERVICES):
            peripheral.add_service(
                Service(
                    uuid(service, 0),
                    [
                        Characteristic(
                            uuid(service, number),
                            properties.READ | properties.WRITE,
                            access,
                            bytes([service, number]),
                            [Descriptor(UUID(0x2901), Descriptor.READABLE, f"{service}/{number}".encode())],
                        )
                        for number in range(1, CHARACTERISTICS + 1)
                    ],
                )
            )
        peripheral.advertising_data = bytes(
            AdvertisingData(
                [
                    (AdvertisingData.FLAGS, b"\6"),
                    (AdvertisingData.COMPLETE_LOCAL_NAME, b"Database"),
                ]
            )
        )

        async def on_connection(connection):
            await soon(connection.update_parameters(INTERVAL, INTERVAL, 0, 1000))
            say("connected", connection.peer_address)

        peripheral.on("connection", lambda connection: asyncio.create_task(on_connection(connection)))
        await soon(peripheral.start_advertising(auto_restart=True))
        say("ready")
        while command := (await heard()).split():
            connection = next(iter(peripheral.connections.values()))
            data = bytes.fromhex(command[1])
            if command[0] == "notify":
                await soon(peripheral.notify_subscriber(connection, notifier, data))
            else:
                await soon(peripheral.indicate_subscriber(connection, indicator, data))
            say("sent", command[0])


run(main)
