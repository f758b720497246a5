"""Pairing of two sides: the capabilities of each by method, and the simulated users."""
import asyncio
from dataclasses import dataclass

from bumble.pairing import PairingConfig, PairingDelegate

NOTHING = PairingDelegate.NO_OUTPUT_NO_INPUT
SHOWS = PairingDelegate.DISPLAY_OUTPUT_ONLY
TYPES = PairingDelegate.KEYBOARD_INPUT_ONLY
COMPARES = PairingDelegate.DISPLAY_OUTPUT_AND_YES_NO_INPUT


@dataclass
class Method:
    central: int
    peripheral: int
    sc: bool = True
    mitm: bool = True
    oob: bool = False


METHODS = {
    "just-works": Method(NOTHING, NOTHING, mitm=False),
    "peripheral-shows": Method(TYPES, SHOWS),
    "central-shows": Method(SHOWS, TYPES),
    "compare": Method(COMPARES, COMPARES),
    "oob": Method(NOTHING, NOTHING, oob=True),
    "legacy-just-works": Method(NOTHING, NOTHING, sc=False, mitm=False),
    "legacy-peripheral-shows": Method(TYPES, SHOWS, sc=False),
    "legacy-central-shows": Method(SHOWS, TYPES, sc=False),
    "legacy-oob": Method(NOTHING, NOTHING, sc=False, oob=True),
}


class Delegate(PairingDelegate):
    """Passes displayed numbers to `shown`, and reads entered ones from `typed`."""

    def __init__(self, capability, shown, typed):
        super().__init__(capability)
        self.shown, self.typed = shown, typed

    async def display_number(self, number, digits):
        await self.shown.put(number)

    async def get_number(self):
        return await self.typed.get()

    async def compare_numbers(self, number, digits):
        await self.shown.put(number)
        return await self.typed.get() == number


def config(method, capability, shown, typed, oob=None):
    return PairingConfig(
        sc=method.sc,
        mitm=method.mitm,
        bonding=True,
        delegate=Delegate(capability, shown, typed),
        # The address in use, not that of its controller.
        identity_address_type=PairingConfig.AddressType.RANDOM,
        oob=oob,
    )


async def encrypted(connection):
    """Waits until the link is encrypted."""
    if not connection.is_encrypted:
        done = asyncio.get_running_loop().create_future()
        connection.once("connection_encryption_change", lambda: done.set_result(None))
        await done


async def swap_keys(peripheral, central):
    """Lets a Bumble peripheral answer with the key that it distributed instead of the received one (0.0.236)."""
    peer = str(central)
    keys = await peripheral.keystore.get(peer)
    keys.ltk_central, keys.ltk_peripheral = keys.ltk_peripheral, keys.ltk_central
    await peripheral.keystore.update(peer, keys)
