import BLEPeripheral
import BLEPeripheralBlueZ
import BusSupport
import DBus
import MonotonicTime
import Testing

/// What bluetoothd does with the attributes for centrals.
@Suite(.timeLimit(.minutes(10))) struct AccessTests {
    private static let device = #""device":["o","/org/bluez/hci0/dev_24_0A_C4_00_01_10"]"#
    private static let central = "24:0A:C4:00:01:10"

    private static func read(_ options: String = "") -> String { #"[["a{sv}",{\#(device)\#(options)}]]"# }
    private static func write(_ value: [Int], _ options: String = "") -> String {
        #"[["ay",\#(value)],["a{sv}",{\#(device)\#(options)}]]"#
    }

    private static let invalid = "org.freedesktop.DBus.Error.InvalidArgs"
    private static let unknown = "org.freedesktop.DBus.Error.UnknownMethod"

    @Test func valuesAreReadFromAnOffset() throws {
        try Bluetoothd().run { tester, peripheral in
            let notes = Notes()
            try await peripheral.publish(HeartRate.definition, HeartRate.handlers(notes))
            #expect(try await tester.ask(HeartRate.measurement, "ReadValue", Self.read()) == #"{"body":[[0,61]]}"#)
            #expect(
                try await tester.ask(HeartRate.measurement, "ReadValue", Self.read(#","offset":["q",1]"#))
                    == #"{"body":[[61]]}"#)
            #expect(
                try await tester.ask(HeartRate.measurement, "ReadValue", Self.read(#","offset":["q",2]"#))
                    == #"{"body":[[]]}"#)
            #expect(
                try await tester.ask(HeartRate.measurement, "ReadValue", Self.read(#","offset":["q",3]"#))
                    == #"{"error":"org.bluez.Error.InvalidOffset","text":"expected at most 2, got 3"}"#)
            #expect(try await tester.ask(HeartRate.description, "ReadValue", Self.read()) == #"{"body":[[65,66]]}"#)
            try peripheral.setValue([7], of: HeartRate.secret)
            #expect(try await tester.ask(HeartRate.secret, "ReadValue", Self.read()) == #"{"body":[[7]]}"#)
            // The handler is called for reads from the beginning only.
            #expect(notes.all == Array(repeating: "read by \(Self.central)", count: 3))
        }
    }

    @Test func valuesAreWrittenAndRefused() throws {
        try Bluetoothd().run { tester, peripheral in
            let notes = Notes()
            try await peripheral.publish(HeartRate.definition, HeartRate.handlers(notes))
            func write(_ value: [Int], _ options: String = "") async throws -> String {
                try await tester.ask(HeartRate.control, "WriteValue", Self.write(value, options))
            }
            #expect(try await write([1, 2, 3]) == #"{"body":[]}"#)
            // The continuation of a long write.
            #expect(try await write([4], #","offset":["q",2]"#) == #"{"body":[]}"#)
            #expect(
                try await write([4], #","offset":["q",4]"#)
                    == #"{"error":"org.bluez.Error.InvalidOffset","text":"expected at most 3, got 4"}"#)
            #expect(try await write([1, 2, 3, 4, 5]).hasPrefix(#"{"error":"org.bluez.Error.InvalidValueLength""#))
            #expect(try await write([0xFF]) == #"{"error":"org.bluez.Error.Failed","text":"0x85"}"#)
            #expect(try await write([0xFE]).hasPrefix(#"{"error":"org.bluez.Error.NotAuthorized""#))
            // bluetoothd has no word for it, and sends Unlikely Error for a number below 0x80.
            #expect(try await write([0xFD]) == #"{"error":"org.bluez.Error.Failed","text":"0x13"}"#)
            #expect(try await write([9], #","prepare-authorize":["b",true]"#) == #"{"body":[]}"#)
            #expect(try await tester.ask(HeartRate.control, "ReadValue", Self.read()) == #"{"body":[[1,2,4]]}"#)
            #expect(
                notes.all
                    == [[1, 2, 3], [1, 2, 4], [0xFF], [0xFE], [0xFD]].map { "write \($0) by \(Self.central)" }
                    + ["read by \(Self.central)"])
        }
    }

    @Test func aHandlerMaySetAnotherValueAndItsMistakesAreUnlikelyErrors() throws {
        try Bluetoothd().run { tester, peripheral in
            let handlers = PeripheralHandlers(
                onRead: { path, _ in path == HeartRate.measurement ? Array(repeating: 1, count: 513) : nil },
                onWrite: { [weak peripheral] _, path, _ in try peripheral?.setValue([7], of: path) })
            try await peripheral.publish(HeartRate.definition, handlers)
            #expect(try await tester.ask(HeartRate.control, "WriteValue", Self.write([1])) == #"{"body":[]}"#)
            #expect(try await tester.ask(HeartRate.control, "ReadValue", Self.read()) == #"{"body":[[7]]}"#)
            #expect(
                try await tester.ask(HeartRate.measurement, "ReadValue", Self.read())
                    == #"{"error":"org.bluez.Error.Failed","text":"0xe"}"#)
        }
    }

    @Test(arguments: [
        ("ReadValue", "[]", invalid), ("ReadValue", #"[["s","x"]]"#, invalid),
        ("ReadValue", #"[["a{sv}",{"offset":["s","1"]}]]"#, invalid),
        ("ReadValue", #"[["a{sv}",{"device":["u",1]}]]"#, invalid),
        ("WriteValue", #"[["s","x"],["a{sv}",{}]]"#, invalid), ("WriteValue", #"[["ay",[1]]]"#, invalid),
        ("WriteValue", #"[["ay",[1]],["s","x"]]"#, invalid), ("AcquireNotify", #"[["a{sv}",{}]]"#, unknown),
        ("Nonsense", "[]", unknown),
    ])
    func aCallOfOtherTypesIsRefused(member: String, arguments: String, error: String) throws {
        try Bluetoothd().run { tester, peripheral in
            let notes = Notes()
            try await peripheral.publish(HeartRate.definition, HeartRate.handlers(notes))
            let reply = try await tester.ask(HeartRate.measurement, member, arguments)
            #expect(reply.hasPrefix(#"{"error":"\#(error)""#), "\(reply)")
            #expect(notes.all.isEmpty)
        }
    }

    @Test func objectsThatThereAreNotAreRefused() throws {
        try Bluetoothd().run { tester, peripheral in
            try await peripheral.publish(HeartRate.definition, PeripheralHandlers())
            for (path, interface, member) in [
                ("/io/espbench/peripheral/service9/char0", "org.bluez.GattCharacteristic1", "ReadValue"),
                ("/io/espbench/peripheral/service0/char0", "org.bluez.GattDescriptor1", "ReadValue"),
                ("/io/espbench/peripheral", "org.bluez.GattCharacteristic1", "ReadValue"),
                ("/io/espbench/peripheral/service0/char0/desc0", "org.bluez.GattDescriptor1", "StartNotify"),
                ("/elsewhere", "org.bluez.GattCharacteristic1", "ReadValue"),
            ] {
                let reply = try await tester.ask(path, interface, member)
                #expect(reply.hasPrefix(#"{"error":"\#(Self.unknown)""#), "\(path): \(reply)")
            }
            let get = try await tester.ask(
                PublishedObjects.advertisement, "org.freedesktop.DBus.Properties", "GetAll", #"[["s","other"]]"#)
            #expect(get.hasPrefix(#"{"error":"\#(Self.invalid)""#), "\(get)")
        }
    }

    @Test func otherProgramsAreNotAnswered() throws {
        try Bluetoothd().run { tester, peripheral in
            let notes = Notes()
            try await peripheral.publish(HeartRate.definition, HeartRate.handlers(notes))
            _ = try await tester.ask(HeartRate.measurement, "StartNotify")
            // The unique names of a bus are numbered: the peripheral's is one of the first.
            let error = await #expect(throws: DBusError.self) {
                for number in 0..<8 {
                    let name = ":1.\(number)"
                    do throws(DBusError) {
                        _ = try await tester.connection.call(
                            DBusMessage(
                                call: name, PublishedObjects.objectPath(HeartRate.measurement),
                                "org.bluez.GattCharacteristic1", "ReadValue", [.options([:])]), within: .seconds(2))
                    } catch {
                        if error.name == "org.freedesktop.DBus.Error.AccessDenied" { throw error }
                    }
                }
            }
            #expect(error?.detail.contains("answers to bluetoothd only") == true)
            #expect(notes.all == ["subscription notifications of 0.0 by true"])
        }
    }

    @Test func subscribersAreNotifiedWithoutLoss() throws {
        try Bluetoothd().run { tester, peripheral in
            let notes = Notes()
            try await peripheral.publish(HeartRate.definition, HeartRate.handlers(notes))
            // Nobody is subscribed.
            #expect(try peripheral.notify([9], of: HeartRate.measurement))
            _ = try await tester.ask(HeartRate.measurement, "StartNotify")
            _ = try await tester.ask(HeartRate.measurement, "StartNotify")
            let error = #expect(throws: PeripheralError.self) {
                try peripheral.notify([1], of: HeartRate.measurement, to: RemoteCentral(Self.central))
            }
            #expect(error?.code == .unsupported)
            var sent: [UInt8] = []
            var waits = 0
            for number in UInt8(0)..<100 {
                while try !peripheral.notify([number], of: HeartRate.measurement) {
                    waits += 1
                    let count = waits
                    try await tester.wait { notes.all.filter { $0 == "roomAvailable" }.count == count }
                }
                sent.append(number)
            }
            #expect(waits >= 2)
            try await tester.wait { try await tester.lines().filter { $0.hasPrefix("signal") }.count == 100 }
            let path = PublishedObjects.objectPath(HeartRate.measurement)
            #expect(
                try await tester.lines().filter { $0.hasPrefix("signal") }
                    == sent.map { "signal \"\(path)\" value {\"Value\":[\($0)]}" })
            _ = try await tester.ask(HeartRate.measurement, "StopNotify")
            #expect(
                notes.all.filter { $0 != "roomAvailable" } == [
                    "subscription notifications of 0.0 by true", "subscription none of 0.0 by true",
                ])
        }
    }

    @Test func oneIndicationAtATimeUntilItIsConfirmedOrTheCentralHasGone() throws {
        try Bluetoothd().run { tester, peripheral in
            let notes = Notes()
            try await peripheral.publish(HeartRate.definition, HeartRate.handlers(notes))
            _ = try await tester.ask(HeartRate.alarm, "StartNotify")
            #expect(try peripheral.notify([1], of: HeartRate.alarm))
            #expect(try !peripheral.notify([2], of: HeartRate.alarm))
            _ = try await tester.ask(HeartRate.alarm, "Confirm")
            #expect(notes.all == ["subscription indications of 1.0 by true", "roomAvailable"])
            #expect(try peripheral.notify([3], of: HeartRate.alarm))
            #expect(try !peripheral.notify([4], of: HeartRate.alarm))
            try await tester.emit("connected")
            try await tester.emit("disconnected")
            try await tester.wait { notes.all.count == 5 }
            #expect(
                notes.all.dropFirst(2) == [
                    "connected(\(Self.central))", "roomAvailable", "disconnected(\(Self.central))",
                ])
            #expect(try peripheral.notify([5], of: HeartRate.alarm))
        }
    }

    @Test func theAgentAsksAndShows() throws {
        try Bluetoothd().run { tester, peripheral in
            let notes = Notes()
            try await peripheral.publish(HeartRate.definition, HeartRate.handlers(notes))
            let device = #"["o","/org/bluez/hci0/dev_24_0A_C4_00_01_10"]"#
            func agent(_ member: String, _ arguments: String) async throws -> String {
                try await tester.ask("/io/espbench/agent", "org.bluez.Agent1", member, "[\(arguments)]")
            }
            for entered in 0..<3 {
                let shown = try await agent("DisplayPasskey", #"\#(device),["u",42],["q",\#(entered)]"#)
                #expect(shown == #"{"body":[]}"#)
            }
            #expect(try await agent("RequestPasskey", device) == #"{"body":[123456]}"#)
            // The handler's answer does not fit.
            #expect(
                try await agent("RequestConfirmation", #"\#(device),["u",7]"#)
                    .hasPrefix(#"{"error":"org.bluez.Error.Rejected""#))
            #expect(try await agent("RequestAuthorization", device) == #"{"body":[]}"#)
            #expect(
                try await agent("AuthorizeService", #"\#(device),["s","0000110b-0000-1000-8000-00805f9b34fb"]"#)
                    .hasPrefix(#"{"error":"org.bluez.Error.Rejected""#))
            #expect(try await agent("Nonsense", "").hasPrefix(#"{"error":"\#(Self.unknown)""#))
            #expect(
                notes.all == ["passkeyDisplayed(42, \(Self.central))", "enterPasskey", "compareNumbers(7)"])
        }
    }

    @Test func aWithdrawnAdvertisementIsALoss() throws {
        try Bluetoothd().run { tester, peripheral in
            let notes = Notes()
            try await peripheral.publish(HeartRate.definition, HeartRate.handlers(notes))
            let reply = try await tester.ask(PublishedObjects.advertisement, "org.bluez.LEAdvertisement1", "Release")
            #expect(reply == #"{"body":[]}"#)
            try await tester.wait { !notes.all.isEmpty }
            #expect(notes.all.first?.contains("bluetoothd has withdrawn the advertisement") == true)
        }
    }
}
