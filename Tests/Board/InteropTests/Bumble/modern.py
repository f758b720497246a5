"""Bumble's host on two of our extended controllers: advertising sets, PHYs, and private addresses that the controllers
generate and resolve."""
import asyncio

from bench import connect, device, find, run, say, soon
from bumble import hci
from bumble.core import UUID
from bumble.device import AdvertisingEventProperties, AdvertisingParameters, Peer
from bumble.hci import Address, OwnAddressType, Phy
from bumble.smp import AddressResolver

BEACON = Address("F0:F0:F0:F0:F0:0A")
DOOR = Address("F0:F0:F0:F0:F0:0B")
# Flags, then manufacturer data of the maximum length of one command.
LONG = b"\x02\x01\x06" + bytes([247, 0xFF, 0xE5, 0x02]) + bytes(range(244))


def future():
    return asyncio.get_running_loop().create_future()


async def advertises(peripheral, central):
    """Two sets at once, each with its own address; the data of one are reported in two fragments."""
    beacon = AdvertisingParameters(
        AdvertisingEventProperties(is_connectable=False, include_tx_power=True),
        primary_advertising_interval_min=30, primary_advertising_interval_max=30,
        secondary_advertising_phy=Phy.LE_2M, advertising_sid=3,
    )
    await soon(peripheral.create_advertising_set(beacon, BEACON, LONG))
    door = AdvertisingParameters(
        AdvertisingEventProperties(), primary_advertising_interval_min=30, primary_advertising_interval_max=30,
        secondary_advertising_phy=Phy.LE_2M, advertising_sid=4,
    )
    await soon(peripheral.create_advertising_set(door, DOOR, b"\x05\x09Door"))
    reports = []
    central.host.on("advertising_report", reports.append)
    seen = await find(central, lambda it: it.address == DOOR)
    assert (seen.sid, seen.primary_phy, seen.secondary_phy) == (4, Phy.LE_1M, Phy.LE_2M), seen
    assert seen.is_connectable and not seen.is_scannable and not seen.is_legacy, seen
    assert seen.data_bytes == b"\x05\x09Door" and seen.rssi < 0 and seen.tx_power == 127, seen
    await find(central, lambda it: it.address == BEACON and it.is_complete)
    pieces = [it for it in reports if it.address == BEACON]
    first = next(index for index, it in enumerate(pieces) if it.event_type & 0x60 == 0x20)
    assert pieces[first].data + pieces[first + 1].data == LONG, pieces[first : first + 2]
    assert all(it.tx_power == 3 and it.advertising_sid == 3 for it in pieces), pieces[0]
    say("advertises")


async def changes_phys(peripheral, central):
    """A connection starts on the PHY of the auxiliary packets, and changes to another."""
    arrived = future()
    peripheral.once("connection", arrived.set_result)
    mine = await connect(central, DOOR)
    theirs = await soon(arrived)
    assert theirs.self_address == DOOR, theirs
    phy = await soon(mine.get_phy())
    assert (phy.tx_phy, phy.rx_phy) == (Phy.LE_2M, Phy.LE_2M), phy
    changed = [future(), future()]
    mine.once("connection_phy_update", lambda *_: changed[0].set_result(None))
    theirs.once("connection_phy_update", lambda *_: changed[1].set_result(None))
    await soon(mine.set_phy([Phy.LE_1M], [Phy.LE_CODED]))
    for it in changed:
        await soon(it)
    phy = await soon(theirs.get_phy())
    assert (phy.tx_phy, phy.rx_phy) == (Phy.LE_CODED, Phy.LE_1M), phy
    (name,) = await soon(Peer(mine).read_characteristics_by_uuid(UUID(0x2A00)))
    assert name == b"Both", name
    await soon(mine.disconnect())
    say("changes PHYs")


class Keys:
    """The stored keys of one bond."""

    def __init__(self, irk, identity):
        self.keys = [(irk, identity)]

    async def get_resolving_keys(self):
        return self.keys

    async def get_all(self):
        return []


async def hides(port):
    """Two devices have each other's keys, and their controllers resolve addresses; a third receives only private addresses."""
    irks = [bytes(range(1, 17)), bytes(range(21, 37))]
    options = {"address_resolution_offload": True, "address_generation_offload": True}
    async with device(port, "One", "F0:F0:F0:F0:F0:11", irk=irks[0], **options) as one, device(
        port, "Two", "F0:F0:F0:F0:F0:12", irk=irks[1], **options
    ) as two, device(port, "Three", "F0:F0:F0:F0:F0:13") as stranger:
        identities = [Address(str(it.public_address).removesuffix("/P"), Address.PUBLIC_DEVICE_ADDRESS) for it in (one, two)]
        one.keystore, two.keystore = Keys(irks[1], identities[1]), Keys(irks[0], identities[0])
        for it in (one, two):
            off = hci.HCI_LE_Set_Address_Resolution_Enable_Command(address_resolution_enable=0)
            await soon(it.send_sync_command(off))
            await soon(it.refresh_resolving_list())
            on = hci.HCI_LE_Set_Address_Resolution_Enable_Command(address_resolution_enable=1)
            await soon(it.send_sync_command(on))
        parameters = AdvertisingParameters(
            AdvertisingEventProperties(is_connectable=True, is_scannable=True, is_legacy=True),
            primary_advertising_interval_min=30, primary_advertising_interval_max=30,
            own_address_type=OwnAddressType.RESOLVABLE_OR_PUBLIC, peer_address=identities[0],
        )
        await soon(two.create_advertising_set(parameters, None, b"\x04\x09Two"))
        heard = await find(stranger, lambda it: it.data_bytes == b"\x04\x09Two", active=False)
        assert heard.address.is_resolvable, heard
        # Bumble resolves an address that our controller generated.
        assert AddressResolver([(irks[1], identities[1])]).resolve(heard.address) == identities[1], heard
        seen = await find(one, lambda it: it.data_bytes == b"\x04\x09Two", active=False)
        assert seen.address == identities[1] and seen.address.address_type == Address.PUBLIC_IDENTITY_ADDRESS, seen.address.address_type
        arrived = future()
        two.once("connection", arrived.set_result)
        mine = await connect(one, identities[1], own_address_type=OwnAddressType.RESOLVABLE_OR_PUBLIC)
        theirs = await soon(arrived)
        assert mine.peer_address == identities[1], mine
        assert theirs.peer_address == identities[0], theirs
        assert mine.self_resolvable_address == theirs.peer_resolvable_address, (mine, theirs)
        assert mine.peer_resolvable_address == theirs.self_resolvable_address == heard.address, (mine, theirs)
        await soon(mine.disconnect())
    say("hides")


async def main(port):
    async with device(port, "Hunter", "F0:F0:F0:F0:F0:01") as central, device(
        port, "Both", "F0:F0:F0:F0:F0:02"
    ) as peripheral:
        await advertises(peripheral, central)
        await changes_phys(peripheral, central)
    await hides(port)


run(main)
