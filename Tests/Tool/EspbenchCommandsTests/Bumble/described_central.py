"""Bumble as a central of what 'espbench simulate' plays. usage: described_central.py HOST:PORT sensortag|heart-rate

The controller is one of espbench's, behind H4 at HOST:PORT. Values are decoded here, with struct and TI's or the SIG's
formulas, and not with anything of espbench.
"""
import asyncio
import struct
import sys

from bumble.core import UUID, AdvertisingData
from bumble.device import Device, Peer
from bumble.hci import Address
from bumble.transport import open_transport


def tag(number):
    return UUID(f"F000{number:04X}-0451-4000-B000-000000000000")


def soon(awaitable):
    return asyncio.wait_for(awaitable, 60)


def check(what, found, wanted, tolerance=0):
    near = abs(found - wanted) <= tolerance if tolerance else found == wanted
    assert near, f"{what}: expected {wanted}, got {found}"
    print("ok:", what, flush=True)


async def find(device, name):
    found = asyncio.get_running_loop().create_future()

    def heard(advertisement):
        if advertisement.data.get(AdvertisingData.Type.COMPLETE_LOCAL_NAME) == name and not found.done():
            found.set_result(advertisement.address)

    device.on("advertisement", heard)
    await device.start_scanning(filter_duplicates=False)
    address = await soon(found)
    await device.stop_scanning()
    return address


async def notified(characteristic, count):
    """The first values that it sends."""
    values = []
    complete = asyncio.get_running_loop().create_future()

    def came(value):
        values.append(bytes(value))
        if len(values) == count and not complete.done():
            complete.set_result(None)

    await soon(characteristic.subscribe(came))
    await soon(complete)
    return values[:count]


def pressure(calibration, data):
    """TI's formulas for the T5400, hPa."""
    c1, c2, c3, c4, c5, c6, c7, c8 = struct.unpack("<4H4h", calibration)
    t, p = struct.unpack("<hH", data)
    sensitivity = c3 + c4 * t / 2**17 + c5 * t / 2**15 * t / 2**19
    offset = c6 * 2**14 + c7 * t / 2**3 + c8 * t / 2**15 * t / 2**4
    return (sensitivity * p + offset) / 2**14 / 100


def object_temperature(data):
    """TI's polynomial for the TMP006, °C."""
    voltage, die = struct.unpack("<hh", data)
    v, t = voltage * 1.5625e-7, die / 128 + 273.15
    d = t - 298.15
    s = 5.593e-14 * (1 + 1.75e-3 * d - 1.678e-5 * d * d)
    v -= -2.94e-5 - 5.7e-7 * d + 4.63e-9 * d * d
    return (t**4 + (v + 13.4 * v * v) / s) ** 0.25 - 273.15


async def sensortag(peer):
    find = lambda number: peer.get_characteristics_by_uuid(number if isinstance(number, UUID) else tag(number))[0]
    check("services", len([s for s in peer.services if s.uuid not in (UUID.from_16_bits(0x1800), UUID.from_16_bits(0x1801))]), 8)
    check("off", await soon(find(0xAA21).read_value()), bytes(4))
    await soon(find(0xAA22).write_value(b"\x01", with_response=True))
    temperature, humidity = struct.unpack("<HH", await soon(find(0xAA21).read_value()))
    check("humidity", -6 + 125 * (humidity & ~3) / 65536, 40.2, 0.01)
    check("humidity's temperature", -46.85 + 175.72 * temperature / 65536, 23.5, 0.01)
    await soon(find(0xAA42).write_value(b"\x02", with_response=True))
    calibration = await soon(find(0xAA43).read_value())
    await soon(find(0xAA42).write_value(b"\x01", with_response=True))
    check("pressure", pressure(calibration, await soon(find(0xAA41).read_value())), 1013.25, 0.06)
    await soon(find(0xAA02).write_value(b"\x01", with_response=True))
    check("object temperature", object_temperature(await soon(find(0xAA01).read_value())), 36.6, 0.05)
    await soon(find(0xAA23).write_value(b"\x0a", with_response=True))
    values = await notified(find(0xAA21), 5)
    check("notified humidity", all(abs(-6 + 125 * (struct.unpack("<HH", v)[1] & ~3) / 65536 - 40.2) < 0.01 for v in values), True)
    check("manufacturer", bytes(await soon(find(UUID.from_16_bits(0x2A29)).read_value())), b"Texas Instruments")


async def heart_rate(peer):
    measurement = peer.get_characteristics_by_uuid(UUID.from_16_bits(0x2A37))[0]
    for value in await notified(measurement, 2):
        flags, rate = struct.unpack_from("<BB", value)
        check("flags", flags, 0x16)
        check("rate", rate, 72)
        intervals = [number / 1024 for (number,) in struct.iter_unpack("<H", value[2:])]
        check("intervals", [round(number, 2) for number in intervals], [0.8, 0.82])
    location = peer.get_characteristics_by_uuid(UUID.from_16_bits(0x2A38))[0]
    check("location", bytes(await soon(location.read_value())), b"\x01")


async def main(port, kind):
    async with await open_transport(f"tcp-client:{port}") as (source, sink):
        device = Device.with_hci("Bumble", Address("F0:F1:F2:F3:F4:F5"), source, sink)
        await device.power_on()
        connection = await soon(device.connect(await find(device, {"sensortag": "SensorTag", "heart-rate": "heart-rate"}[kind])))
        peer = Peer(connection)
        await soon(peer.discover_all())
        await {"sensortag": sensortag, "heart-rate": heart_rate}[kind](peer)
        await soon(connection.disconnect())
        print("done", flush=True)


asyncio.run(main(*sys.argv[1:]))
