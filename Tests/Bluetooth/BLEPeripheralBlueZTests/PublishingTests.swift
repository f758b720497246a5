import BLECentral
import BLEPeripheral
import BLEPeripheralBlueZ
import BusSupport
import DBus
import Testing

/// What bluetoothd is told, and how it is withdrawn.
@Suite(.timeLimit(.minutes(10))) struct PublishingTests {
    @Test func theObjectsAreThoseOfTheDefinition() throws {
        try Bluetoothd().run { tester, peripheral in
            try await peripheral.publish(HeartRate.definition, PeripheralHandlers())
            let root = "/io/espbench/peripheral"
            #expect(
                try await tester.found("RegisterApplication") == """
                    {"body":[{"\(root)/service0":{"org.bluez.GattService1":\
                    {"Primary":true,"UUID":"0000180d-0000-1000-8000-00805f9b34fb"}},\
                    "\(root)/service0/char0":{"org.bluez.GattCharacteristic1":{"Flags":["read","notify"],\
                    "Service":"\(root)/service0","UUID":"00002a37-0000-1000-8000-00805f9b34fb"}},\
                    "\(root)/service0/char0/desc0":{"org.bluez.GattDescriptor1":\
                    {"Characteristic":"\(root)/service0/char0","Flags":["read","write"],\
                    "UUID":"00002901-0000-1000-8000-00805f9b34fb"}},\
                    "\(root)/service0/char1":{"org.bluez.GattCharacteristic1":\
                    {"Flags":["write-without-response","write"],\
                    "Service":"\(root)/service0","UUID":"00002a39-0000-1000-8000-00805f9b34fb"}},\
                    "\(root)/service0/char2":{"org.bluez.GattCharacteristic1":\
                    {"Flags":["encrypt-authenticated-read","encrypt-write","encrypt-authenticated-notify"],\
                    "Service":"\(root)/service0","UUID":"00002a38-0000-1000-8000-00805f9b34fb"}},\
                    "\(root)/service1":{"org.bluez.GattService1":\
                    {"Primary":true,"UUID":"3c3996e0-4d2c-11ed-bdc3-0242ac120002"}},\
                    "\(root)/service1/char0":{"org.bluez.GattCharacteristic1":{"Flags":["indicate"],\
                    "Service":"\(root)/service1","UUID":"0000aa04-0000-1000-8000-00805f9b34fb"}}}]}
                    """)
            #expect(
                try await tester.found("RegisterAdvertisement") == """
                    {"body":[{"Discoverable":true,"LocalName":"Heart","MaxInterval":200,"MinInterval":100,\
                    "ServiceUUIDs":["0000180d-0000-1000-8000-00805f9b34fb","3c3996e0-4d2c-11ed-bdc3-0242ac120002"],\
                    "Type":"peripheral"}]}
                    """)
            #expect(
                try await tester.lines() == [
                    #"RegisterAgent ["/io/espbench/agent","DisplayOnly"]"#,
                    #"RequestDefaultAgent ["/io/espbench/agent"]"#,
                ])
        }
    }

    @Test func closingWithdrawsAllInOrder() throws {
        try Bluetoothd("unpairable").run { tester, peripheral in
            try await peripheral.publish(HeartRate.definition, PeripheralHandlers())
            let device = #"{"device":["o","/org/bluez/hci0/dev_24_0A_C4_00_01_10"]}"#
            _ = try await tester.ask(HeartRate.measurement, "ReadValue", #"[["a{sv}",\#(device)]]"#)
            try await tester.emit("connected")
            await peripheral.close()
            #expect(
                try await tester.lines() == [
                    #"RegisterAgent ["/io/espbench/agent","DisplayOnly"]"#,
                    #"RequestDefaultAgent ["/io/espbench/agent"]"#,
                    #"Set ["org.bluez.Adapter1","Pairable",true]"#,
                    #"UnregisterAdvertisement ["/io/espbench/advertisement"]"#,
                    "Disconnect []",
                    #"UnregisterApplication ["/io/espbench/peripheral"]"#,
                    #"UnregisterAgent ["/io/espbench/agent"]"#,
                    #"Set ["org.bluez.Adapter1","Pairable",false]"#,
                ])
            let error = #expect(throws: PeripheralError.self) {
                try peripheral.notify([1], of: HeartRate.measurement)
            }
            #expect(error?.code == .stopped)
            // Again.
            try await peripheral.publish(HeartRate.definition, PeripheralHandlers())
        }
    }

    @Test(arguments: [("normal", true), ("bonded", false)])
    func newBondsAreRemoved(mode: String, isNew: Bool) throws {
        try Bluetoothd(mode).run { tester, peripheral in
            try await peripheral.publish(HeartRate.definition, PeripheralHandlers())
            try await tester.emit("paired")
            await peripheral.close()
            let removal = #"RemoveDevice ["/org/bluez/hci0/dev_24_0A_C4_00_01_10"]"#
            #expect(try await tester.lines().contains(removal) == isNew)
        }
    }

    @Test func anAdapterThatWasOffIsSwitchedOffAgain() throws {
        try Bluetoothd("off").run { tester, peripheral in
            try await peripheral.publish(HeartRate.definition, PeripheralHandlers())
            await peripheral.close()
            #expect(try await tester.lines().first == #"Set ["org.bluez.Adapter1","Powered",true]"#)
            #expect(try await tester.lines().last == #"Set ["org.bluez.Adapter1","Powered",false]"#)
        }
    }

    @Test(arguments: [
        (
            "refusing",
            """
            register the advertisement: org.bluez.Error.InvalidLength: Invalid Length; the advertisement data and the \
            name must fit into one packet
            """
        ),
        ("full", "publish: expected a free advertising set of hci0, other programs use all (5)"),
        (
            "central-only",
            "publish: the adapter hci0 can not be a peripheral: expected org.bluez.LEAdvertisingManager1, bluetoothd has none for it"
        ),
        ("agentless", "register the pairing agent: org.bluez.Error.AlreadyExists: Already Exists"),
    ])
    func aRefusalIsSaid(mode: String, text: String) throws {
        try Bluetoothd(mode).run { _, peripheral in
            let error = await #expect(throws: PeripheralError.self) {
                try await peripheral.publish(HeartRate.definition, PeripheralHandlers())
            }
            #expect(error?.description == text)
        }
    }

    @Test func aBluetoothdThatEndsWhileItRegistersIsUnavailable() throws {
        try Bluetoothd("dying").run { _, peripheral in
            let error = await #expect(throws: CentralError.self) {
                try await peripheral.publish(HeartRate.definition, PeripheralHandlers())
            }
            #expect(error?.code == .unavailable && error?.absence == .service)
        }
    }

    @Test func withoutBusBluetoothdOrAdapterItIsUnavailable() throws {
        try Bluetoothd().run { tester, _ in
            let executor = tester.executor
            let nowhere = BlueZPeripheral(executor: executor, bus: DBusAddress(path: "/nowhere/bus"))
            let bus = await #expect(throws: CentralError.self) {
                try await nowhere.publish(HeartRate.definition, PeripheralHandlers())
            }
            #expect(
                bus
                    == CentralError(
                        .unavailable,
                        "publish: bus unix:path=/nowhere/bus: connecting failed: No such file or directory",
                        absence: .bus))
        }
        let bluetoothd = try Bluetoothd()
        let address = bluetoothd.bus.address
        try bluetoothd.run { tester, _ in
            let other = BlueZPeripheral(executor: tester.executor, adapter: "hci7", bus: address)
            let adapter = await #expect(throws: CentralError.self) {
                try await other.publish(HeartRate.definition, PeripheralHandlers())
            }
            #expect(
                adapter
                    == CentralError(
                        .unavailable, "publish: expected the adapter hci7, bluetoothd has hci0", absence: .adapter))
        }
    }

    @Test(arguments: [
        ("off", "the adapter hci0 was powered off or unplugged", CentralAbsence.power),
        ("removed", "the adapter hci0 was removed", .adapter),
        ("exit", "bluetoothd has ended: org.bluez has left the bus", .service),
    ])
    func aLossIsReportedOnce(what: String, detail: String, absence: CentralAbsence) throws {
        try Bluetoothd().run { tester, peripheral in
            let notes = Notes()
            try await peripheral.publish(HeartRate.definition, HeartRate.handlers(notes))
            try? await tester.emit(what)
            try await tester.wait { !notes.all.isEmpty }
            let error = CentralError(.unavailable, detail, absence: absence)
            #expect(notes.all == ["\(PeripheralEvent.failed(error))"])
            #expect(throws: PeripheralError.self) { try peripheral.notify([1], of: HeartRate.measurement) }
        }
    }
}
