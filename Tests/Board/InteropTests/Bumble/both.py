"""Bumble's host on both ends of connections between our controllers."""
import asyncio
import contextlib
import secrets

from bench import INTERVAL, connect, device, find, renew_address, run, say, soon
from bumble.att import ATT_Error
from bumble.core import UUID, AdvertisingData
from bumble.device import AdvertisingEventProperties, AdvertisingParameters, Peer
from bumble.gatt import Characteristic, Service
from bumble.hci import Address, OwnAddressType, Phy
from bumble.pairing import OobContext, OobLegacyContext, PairingConfig
from pairing import METHODS, config, encrypted, swap_keys

SECRET = Characteristic(
    UUID(0xA001),
    Characteristic.Properties.READ,
    Characteristic.READABLE | Characteristic.READ_REQUIRES_ENCRYPTION,
    b"secret",
)
INSUFFICIENT_ENCRYPTION = 0x0F
ROUNDS = 20


def next_event(emitter, name):
    """The arguments of the next event called `name`."""
    future = asyncio.get_running_loop().create_future()
    emitter.once(name, lambda *arguments: future.done() or future.set_result(*(arguments or [None])))
    return future


async def link(central, peripheral, address=None, **options):
    """The connection objects of both sides."""
    arrived = next_event(peripheral, "connection")
    mine = await connect(central, address or peripheral.random_address, **options)
    return mine, await soon(arrived)


async def unlink(mine, theirs):
    gone = next_event(theirs, "disconnection")
    await soon(mine.disconnect())
    assert await soon(gone) == 0x13


async def connects(central, peripheral):
    """Many connections in a row, ended by either side."""
    for round in range(ROUNDS):
        mine, theirs = await link(central, peripheral)
        (name,) = await soon(Peer(mine).read_characteristics_by_uuid(UUID(0x2A00)))
        assert name == b"Both", name
        first, second = (mine, theirs) if round % 2 else (theirs, mine)
        ends = [next_event(first, "disconnection"), next_event(second, "disconnection")]
        reason = 0x15 if round % 4 == 2 else 0x13
        await soon(first.disconnect(reason))
        assert [await soon(end) for end in ends] == [0x16, reason], round


async def lost(central, peripheral, port):
    """The end of a connection whose peer has lost power."""
    async with device(port, "Lost", "F0:F0:F0:F0:F0:03") as other:
        await soon(other.start_advertising())
        mine = await connect(central, other.random_address)
        gone = next_event(mine, "disconnection")
    assert await soon(gone) == 0x08


async def parameters(central, peripheral):
    """Procedures of the link layer."""
    mine, theirs = await link(central, peripheral)
    updated = next_event(theirs, "connection_parameters_update")
    await soon(mine.update_parameters(30, 30, 0, 2000))
    await soon(updated)
    assert theirs.parameters.connection_interval == 30, theirs.parameters
    updated = next_event(mine, "connection_parameters_update")
    await soon(theirs.update_parameters(INTERVAL, INTERVAL, 0, 2000))
    await soon(updated)
    assert mine.parameters.connection_interval == INTERVAL, mine.parameters
    changed = next_event(theirs, "connection_data_length_change")
    await soon(mine.set_data_length(120, 1200))
    await soon(changed)
    assert theirs.data_length.max_rx_octets == 120, theirs.data_length
    features = await soon(mine.get_remote_le_features())
    assert features & 1, features
    assert -60 < await soon(mine.get_rssi()) < -20
    if central.supports_le_phy(Phy.LE_2M):
        changed = next_event(theirs, "connection_phy_update")
        await soon(mine.set_phy([Phy.LE_2M], [Phy.LE_2M]))
        await soon(changed)
        phy = await soon(theirs.get_phy())
        assert (phy.tx_phy, phy.rx_phy) == (Phy.LE_2M, Phy.LE_2M), phy
    await unlink(mine, theirs)


async def read(connection):
    """The protected value, or the ATT error."""
    try:
        return await soon(Peer(connection).gatt_client.read_value(SECRET.handle))
    except ATT_Error as error:
        return error.error_code


def configure(method, central, peripheral):
    """Pairs both by `method`; the passkey displayed by one is entered by the other."""
    shown, typed = asyncio.Queue(), asyncio.Queue()
    configs = [None, None]
    if method.oob:
        contexts = [OobContext(), OobContext()]
        legacy = OobLegacyContext()
        if method.sc:
            configs = [
                PairingConfig.OobConfig(contexts[mine], contexts[1 - mine].share(), None) for mine in (0, 1)
            ]
        else:
            configs = [PairingConfig.OobConfig(None, None, legacy)] * 2
    for side, capability, oob in zip((central, peripheral), (method.central, method.peripheral), configs):
        it = config(method, capability, shown, shown if not method is METHODS["compare"] else typed, oob)
        side.pairing_config_factory = lambda _, it=it: it
    return shown, typed


async def pairs(central, peripheral):
    """Every method; the bond encrypts the next connection."""
    for index, (name, method) in enumerate(METHODS.items()):
        shown, typed = configure(method, central, peripheral)
        mine, theirs = await link(central, peripheral)
        assert await read(mine) == INSUFFICIENT_ENCRYPTION
        paired = [next_event(mine, "pairing"), next_event(theirs, "pairing")]
        if index % 2:
            mine.once("security_request", lambda _: asyncio.create_task(mine.pair()))
            theirs.request_pairing()
        else:
            starting = asyncio.create_task(mine.pair())
        if name == "compare":
            numbers = [await soon(shown.get()) for _ in (0, 1)]
            assert numbers[0] == numbers[1], numbers
            for number in numbers:
                typed.put_nowait(number)
        keys = [await soon(it) for it in paired]
        for connection, key in zip((mine, theirs), keys):
            assert connection.is_encrypted, name
            assert connection.sc == method.sc, name
            kept = key.ltk or key.ltk_central or key.ltk_peripheral
            assert kept.authenticated == (method.mitm or method.oob), (name, kept)
        assert await read(mine) == b"secret"
        await unlink(mine, theirs)

        if not method.sc:
            await swap_keys(peripheral, central.random_address)
        mine, theirs = await link(central, peripheral)
        assert await read(mine) == INSUFFICIENT_ENCRYPTION
        seen = asyncio.create_task(encrypted(theirs))
        await soon(mine.encrypt())
        await soon(seen)
        assert await read(mine) == b"secret"
        await unlink(mine, theirs)
        say("paired by", name)

    # Two keys for one bond are a MIC failure.
    await swap_keys(peripheral, central.random_address)
    mine, theirs = await link(central, peripheral)
    ends = [next_event(mine, "disconnection"), next_event(theirs, "disconnection")]
    encryption = asyncio.create_task(mine.encrypt())
    reasons = [await soon(end) for end in ends]
    assert 0x3D in reasons, reasons
    await asyncio.gather(encryption, return_exceptions=True)

    # A key that only one side has stored.
    await peripheral.keystore.delete_all()
    mine, theirs = await link(central, peripheral)
    failed = next_event(mine, "connection_encryption_failure")
    encryption = asyncio.create_task(mine.encrypt())
    assert await soon(failed) == 0x06
    await asyncio.gather(encryption, return_exceptions=True)
    await unlink(mine, theirs)


def data_of(length):
    return bytes(AdvertisingData([(AdvertisingData.MANUFACTURER_SPECIFIC_DATA, bytes(range(length)))]))


async def extended(central, peripheral):
    """Advertisements that require extended advertising."""
    # Data that fit into one report: Wireshark, and Bumble for scan responses, do not merge reports.
    data = data_of(220)
    quiet = AdvertisingEventProperties(is_connectable=False)
    fast = dict(primary_advertising_interval_min=20, primary_advertising_interval_max=20)
    beacon = await soon(
        peripheral.create_advertising_set(
            AdvertisingParameters(quiet, secondary_advertising_phy=Phy.LE_2M, advertising_sid=7, **fast),
            random_address=Address("F0:F0:F0:F0:F0:77"),
            advertising_data=data,
        )
    )
    seen = await find(central, lambda it: it.address == Address("F0:F0:F0:F0:F0:77"))
    assert seen.data_bytes == data, seen
    assert (seen.sid, seen.secondary_phy, seen.is_connectable, seen.is_legacy) == (7, Phy.LE_2M, False, False), seen
    await soon(beacon.stop())
    await soon(beacon.remove())

    scannable = await soon(
        peripheral.create_advertising_set(
            AdvertisingParameters(AdvertisingEventProperties(is_connectable=False, is_scannable=True), **fast),
            random_address=Address("F0:F0:F0:F0:F0:78"),
            scan_response_data=data,
        )
    )
    seen = await find(central, lambda it: it.address == Address("F0:F0:F0:F0:F0:78") and it.is_scan_response)
    assert seen.data_bytes == data, seen
    await soon(scannable.stop())
    await soon(scannable.remove())

    connectable = await soon(
        peripheral.create_advertising_set(
            AdvertisingParameters(AdvertisingEventProperties(), secondary_advertising_phy=Phy.LE_2M, **fast),
            random_address=Address("F0:F0:F0:F0:F0:79"),
            advertising_data=bytes(AdvertisingData([(AdvertisingData.COMPLETE_LOCAL_NAME, b"Extended")])),
        )
    )
    seen = await find(central, lambda it: it.data.get(AdvertisingData.Type.COMPLETE_LOCAL_NAME) == "Extended")
    mine, theirs = await link(central, peripheral, seen.address)
    assert theirs.self_address == Address("F0:F0:F0:F0:F0:79"), theirs
    assert await soon(Peer(mine).read_characteristics_by_uuid(UUID(0x2A00))) == [b"Both"]
    await unlink(mine, theirs)
    await soon(connectable.remove())
    say("extended")


async def privacy(port, offload):
    """Resolvable private addresses on both sides, resolved by the hosts or by the controllers."""
    async with contextlib.AsyncExitStack() as stack:
        central, peripheral = [
            await stack.enter_async_context(
                device(
                    port,
                    name,
                    f"F0:F0:F0:F0:F0:{number}",
                    irk=secrets.token_bytes(16),
                    le_privacy_enabled=True,
                    address_resolution_offload=offload,
                    address_generation_offload=offload,
                )
            )
            for number, name in ((11, "Hidden"), (12, "Veiled"))
        ]
        serve(peripheral)
        own = OwnAddressType.RESOLVABLE_OR_RANDOM if offload else OwnAddressType.RANDOM
        configure(METHODS["just-works"], central, peripheral)
        await soon(peripheral.start_advertising(own_address_type=own))
        first = (await find(central, lambda it: it.address.is_resolvable)).address
        mine, theirs = await link(central, peripheral, first, own_address_type=own)
        assert mine.peer_address == first, mine
        assert theirs.peer_address.is_resolvable, theirs
        paired = [next_event(mine, "pairing"), next_event(theirs, "pairing")]
        await soon(mine.pair())
        for it in paired:
            await soon(it)
        await unlink(mine, theirs)
        if not offload:
            for side in (central, peripheral):
                await renew_address(side)
        await soon(peripheral.start_advertising(own_address_type=own))
        seen = await find(central, lambda it: (it.address.is_resolved if offload else it.address.is_resolvable))
        assert seen.address != first, seen
        mine, theirs = await link(central, peripheral, seen.address, own_address_type=own)
        assert mine.peer_address == peripheral.static_address, mine
        assert theirs.peer_address == central.static_address, theirs
        await soon(mine.encrypt())
        assert await read(mine) == b"secret"
        await unlink(mine, theirs)
    say("private", "in the controller" if offload else "in the host")


def serve(peripheral):
    peripheral.add_service(Service(UUID(0xA000), [SECRET]))


async def main(port, kind):
    async with (
        device(port, "Hunter", "F0:F0:F0:F0:F0:01") as central,
        device(port, "Both", "F0:F0:F0:F0:F0:02") as peripheral,
    ):
        assert central.supports_le_extended_advertising == (kind == "extended")
        assert central.supports_le_phy(Phy.LE_2M) == (kind != "4.2")
        serve(peripheral)
        if kind == "extended":
            await extended(central, peripheral)
        name = bytes(AdvertisingData([(AdvertisingData.COMPLETE_LOCAL_NAME, b"Both")]))
        await soon(peripheral.start_advertising(auto_restart=True, advertising_data=name))
        seen = await find(central, lambda it: it.address == peripheral.random_address)
        assert seen.data.get(AdvertisingData.Type.COMPLETE_LOCAL_NAME) == "Both", seen
        await connects(central, peripheral)
        say("connects")
        await lost(central, peripheral, port)
        say("lost")
        await parameters(central, peripheral)
        say("parameters")
        await pairs(central, peripheral)
    for offload in (False, True):
        await privacy(port, offload)


run(main)
