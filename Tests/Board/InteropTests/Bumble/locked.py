"""A Bumble peripheral with protected values, whose pairing is configured on standard input."""
import asyncio
import secrets

from bench import device, heard, renew_address, run, say, soon
from bumble.core import UUID, AdvertisingData
from bumble.gatt import Characteristic, Service
from bumble.hci import Address, HCI_LE_Set_Random_Address_Command
from bumble.pairing import OobContext, OobLegacyContext, PairingConfig
from pairing import METHODS, config, swap_keys


class Peripheral:
    def __init__(self, device):
        self.device = device
        self.shown, self.typed, self.orders = asyncio.Queue(), asyncio.Queue(), asyncio.Queue()
        self.method = None
        read = Characteristic.Properties.READ
        device.add_service(
            Service(
                UUID(0xA000),
                [
                    Characteristic(
                        UUID(0xA001), read, Characteristic.READABLE | Characteristic.READ_REQUIRES_ENCRYPTION, b"shut"
                    ),
                    Characteristic(
                        UUID(0xA002),
                        read,
                        Characteristic.READABLE | Characteristic.READ_REQUIRES_AUTHENTICATION,
                        b"locked",
                    ),
                ],
            )
        )
        device.advertising_data = bytes(AdvertisingData([(AdvertisingData.COMPLETE_LOCAL_NAME, b"Locked")]))
        device.on("connection", self.on_connection)

    def on_connection(self, connection):
        say("connected", connection.peer_address.to_string(False), connection.peer_resolvable_address is not None)
        self.connection = connection
        connection.on("pairing", self.on_pairing)
        connection.on("pairing_failure", lambda reason: say("failed", int(reason)))
        connection.on("connection_encryption_change", lambda: say("encrypted" if connection.is_encrypted else "open"))
        connection.on("disconnection", lambda reason: say("disconnected", reason))

    def on_pairing(self, keys):
        key = keys.ltk or keys.ltk_peripheral
        say("paired", self.connection.sc, key.authenticated, keys.irk is not None)

    def configure(self, name):
        self.method = METHODS[name]
        # A number typed after the former pairing had failed is not the answer of the next one.
        self.typed = asyncio.Queue()
        oob = None
        if name == "oob":
            context = OobContext()
            shared = context.share()
            self.told = (shared.c.hex(), shared.r.hex())
            oob = PairingConfig.OobConfig(context, None, None)
        elif name == "legacy-oob":
            legacy = OobLegacyContext()
            self.told = (legacy.tk.hex(),)
            oob = PairingConfig.OobConfig(None, None, legacy)
        it = config(self.method, self.method.peripheral, self.shown, self.typed, oob)
        self.device.pairing_config_factory = lambda _: it

    async def listen(self):
        while line := await heard():
            if line.isdigit():
                self.typed.put_nowait(int(line))
            else:
                self.orders.put_nowait(line.split())
        self.orders.put_nowait(None)

    async def show(self):
        while True:
            say("shows", await self.shown.get())

    async def obey(self):
        while order := await self.orders.get():
            match order:
                case ["method", name]:
                    self.configure(name)
                case ["tell"]:
                    say("told", *self.told)
                case ["key-size", size]:
                    self.device.pairing_config_factory(None).delegate.maximum_encryption_key_size = int(size)
                case ["advertise"]:
                    if self.device.le_privacy_enabled:
                        await renew_address(self.device)
                    await soon(self.device.start_advertising())
                    say("ready")
                case ["become", address]:
                    # On air only: the identity in the key distribution remains the former one.
                    self.device.random_address = Address(address)
                    await soon(
                        self.device.send_sync_command(
                            HCI_LE_Set_Random_Address_Command(random_address=self.device.random_address)
                        )
                    )
                    say("ready")
                case ["request"]:
                    self.connection.request_pairing()
                case ["bonded"]:
                    if not self.method.sc:
                        await swap_keys(self.device, self.connection.peer_address)
                    say("ready")
                case ["forget"]:
                    await self.device.keystore.delete_all()
                    await soon(self.device.refresh_resolving_list())
                    say("ready")


async def main(port, privacy):
    private = dict(irk=secrets.token_bytes(16), le_privacy_enabled=True) if privacy == "private" else {}
    async with device(port, "Locked", "F0:F0:F0:F0:F0:21", **private) as it:
        peripheral = Peripheral(it)
        tasks = [asyncio.create_task(peripheral.listen()), asyncio.create_task(peripheral.show())]
        say("ready")
        await peripheral.obey()
        for task in tasks:
            task.cancel()


run(main)
