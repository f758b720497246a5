"""Bumble as the central of a board that runs Firmware/ServoLock."""
import asyncio
import secrets

from bench import connect, device, find, heard, renew_address, run, say, soon
from bumble.att import ATT_Error
from bumble.core import UUID, AdvertisingData, ProtocolError
from bumble.device import Peer
from bumble.hci import Address
from bumble.pairing import PairingConfig, PairingDelegate

SERVICE, COMMAND, STATE, BOLT, STATUS = (
    UUID(f"3c39{part}-4d2c-11ed-bdc3-0242ac120002") for part in ("96e0", "9a64", "9c44", "9e2e", "a068")
)
READ_NOT_PERMITTED = 0x02
INSUFFICIENT_AUTHENTICATION = 0x05
NOT_AUTHENTICATED_BY_PASSKEY = 0x03
CONFIRM_VALUE_FAILED = 0x04


class Typist(PairingDelegate):
    """Enters `passkey`; without one, it has no keyboard."""

    def __init__(self, passkey):
        super().__init__(self.NO_OUTPUT_NO_INPUT if passkey is None else self.KEYBOARD_INPUT_ONLY)
        self.passkey = passkey

    async def get_number(self):
        return self.passkey


class Phone:
    def __init__(self, central, lock):
        self.central, self.lock = central, lock

    async def connect(self):
        seen = await find(self.central, lambda it: it.address == self.lock and it.data.get(LOCAL_NAME))
        assert seen.data.get(LOCAL_NAME) == "ESP_TEST_DEVICE_LOCAL_NAME", seen
        assert seen.data.get(AdvertisingData.Type.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS) == [SERVICE], seen
        self.connection = await connect(self.central, self.lock)
        self.gone = asyncio.get_running_loop().create_future()
        self.connection.once("disconnection", self.gone.set_result)
        peer = Peer(self.connection)
        await soon(peer.discover_services([SERVICE]))
        await soon(peer.discover_characteristics())
        self.command, self.state, self.bolt, self.status = (
            peer.get_characteristics_by_uuid(uuid)[0] for uuid in (COMMAND, STATE, BOLT, STATUS)
        )

    async def leave(self):
        if not self.gone.done():
            await soon(self.connection.disconnect())
        return await soon(self.gone)

    async def pair(self, passkey, sc=True, mitm=True):
        """The SMP reason of a failed pairing; `None`: it did not fail, or the lock disconnected first."""
        self.central.pairing_config_factory = lambda _: PairingConfig(
            sc=sc,
            mitm=mitm,
            delegate=Typist(passkey),
            identity_address_type=PairingConfig.AddressType.RANDOM,
        )
        try:
            await soon(self.connection.pair())
        except ProtocolError as error:
            return error.error_code
        except asyncio.CancelledError:
            # Bumble reports the end of the link this way; a caller that expects a pairing detects it at the next
            # request.
            if not self.gone.done():
                raise

    async def is_refused(self):
        """Whether every access is refused. With Secure Connections only, NimBLE's error does not depend on a stored key."""
        for attempt, code in (
            (self.state.read_value, READ_NOT_PERMITTED),
            (self.bolt.read_value, READ_NOT_PERMITTED),
            (self.status.read_value, INSUFFICIENT_AUTHENTICATION),
            (lambda: self.command.write_value(b"1", with_response=True), INSUFFICIENT_AUTHENTICATION),
        ):
            try:
                await soon(attempt())
            except ATT_Error as error:
                assert error.error_code == code, error
            else:
                return False
        return True

    async def turn(self, state):
        """Writes the command, and waits for the end of the motion."""
        said = {self.state: asyncio.Queue(), self.bolt: asyncio.Queue()}
        for characteristic, queue in said.items():
            await soon(characteristic.subscribe(queue.put_nowait))
        await soon(self.command.write_value(state, with_response=True))
        assert await soon(said[self.state].get()) == state
        assert await soon(said[self.bolt].get()) == b"moving"
        assert await soon(said[self.bolt].get()) == (b"unlocked" if state == b"1" else b"locked")
        assert await soon(self.status.read_value()) == (b"unlocked" if state == b"1" else b"locked")


LOCAL_NAME = AdvertisingData.Type.COMPLETE_LOCAL_NAME


async def main(port, address, privacy):
    private = dict(irk=secrets.token_bytes(16), le_privacy_enabled=True) if privacy == "private" else {}
    async with device(port, "Phone", "F0:F0:F0:F0:F0:31", **private) as central:
        phone = Phone(central, Address(address, Address.PUBLIC_DEVICE_ADDRESS))
        say("ready")
        passkey = int(await heard())

        if not private:
            # A failed pairing ends the link; the host refuses LE legacy pairing.
            await phone.connect()
            assert await phone.is_refused()
            reason = await phone.pair(passkey, sc=False)
            assert reason == NOT_AUTHENTICATED_BY_PASSKEY, reason
            assert await soon(phone.gone) == 0x13, phone.gone
            say("legacy refused")
            await phone.connect()
            await phone.pair(None, mitm=False)
            assert await soon(phone.gone) == 0x13, phone.gone
            say("just works refused")

            await phone.connect()
            reason = await phone.pair((passkey + 1) % 1_000_000)
            assert reason == CONFIRM_VALUE_FAILED, reason
            assert await soon(phone.gone) == 0x13, phone.gone
            say("wrong passkey")
            # No passkey is valid for a second attempt.
            passkey = int(await heard())

        await phone.connect()
        if private:
            assert phone.connection.self_address.is_resolvable
        assert await phone.pair(passkey) is None
        assert phone.connection.sc and phone.connection.is_encrypted
        await phone.turn(b"1")
        assert await phone.leave() == 0x16
        say("unlocked")

        for round in range(3):
            if private:
                await renew_address(central)
            await phone.connect()
            assert await phone.is_refused()
            await soon(phone.connection.encrypt())
            assert await soon(phone.status.read_value()) == (b"locked" if round == 1 else b"unlocked")
            await phone.turn(b"1" if round == 1 else b"0")
            await phone.leave()
            if round == 1:
                say("came back")
                # Meanwhile the lock is rebooted.
                await heard()


run(main)
