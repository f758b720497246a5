"""Shared by the scripts of this folder: devices on espbench's radio, and waiting with a time limit."""
import asyncio
import contextlib
import logging
import sys

from bumble.device import ConnectionParametersPreferences, Device, DeviceConfiguration
from bumble.hci import Address, HCI_LE_Set_Random_Address_Command, Phy
from bumble.transport import open_transport

LIMIT = 120
# In milliseconds; the shortest possible, since the scripts run in real time.
INTERVAL = 7.5

logging.basicConfig(stream=sys.stdout, level=logging.WARNING)


def say(*words):
    print(*words, flush=True)


async def soon(awaitable):
    """The result, which must be available within LIMIT seconds."""
    return await asyncio.wait_for(awaitable, LIMIT)


async def connect(device, address, **options):
    """A connection to `address`, at the shortest interval."""
    fast = ConnectionParametersPreferences(connection_interval_min=INTERVAL, connection_interval_max=INTERVAL)
    return await soon(device.connect(address, connection_parameters_preferences={Phy.LE_1M: fast}, **options))


async def renew_address(device):
    """Gives a device a new private address, as happens every fifteen minutes. (Bumble 0.0.236 sends its controller the old one.)"""
    device.random_address = Address.generate_private_address(device.irk)
    await soon(device.send_sync_command(HCI_LE_Set_Random_Address_Command(random_address=device.random_address)))


async def heard():
    """The next line of standard input."""
    return (await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)).strip()


@contextlib.asynccontextmanager
async def device(port, name="Bumble", address="F0:F0:F0:F0:F0:01", **configuration):
    """A powered-on device with its own controller."""
    async with await open_transport(f"tcp-client:127.0.0.1:{port}") as transport:
        settings = DeviceConfiguration(
            name=name,
            address=Address(address),
            advertising_interval_min=20,
            advertising_interval_max=20,
            **configuration,
        )
        device = Device.from_config_with_hci(settings, transport.source, transport.sink)
        await soon(device.power_on())
        yield device


async def find(device, matches, active=True):
    """The first advertisement for which `matches` is true."""
    found = asyncio.get_running_loop().create_future()

    def on_advertisement(advertisement):
        if not found.done() and matches(advertisement):
            found.set_result(advertisement)

    device.on("advertisement", on_advertisement)
    await soon(device.start_scanning(active=active, filter_duplicates=False))
    try:
        return await soon(found)
    finally:
        device.remove_listener("advertisement", on_advertisement)
        await soon(device.stop_scanning())


def run(main):
    asyncio.run(main(*sys.argv[1:]))
