import Testing

/// Devices that refuse, do not answer, vanish at a bad moment, or are others than they seem.
@Suite(
    .enabled(if: EmulatedBus.isAvailable, "needs umockdev and libumockdev-dev: Scripts/test installs them"),
    .serialized, .timeLimit(.minutes(10)))
struct StrangeDeviceTests {
    /// A request that a driver sends when it opens a device.
    struct Setup: CustomTestStringConvertible, Sendable {
        var kind: EmulatedDeviceTests.Kind
        var request: UInt8
        var testDescription: String { "\(kind.name) \(String(request, radix: 16))" }
    }

    private static let requests: [String: [UInt8]] = [
        "cp2102": [0x00, 0x03, 0x07, 0x12, 0x13, 0x1E, 0xFF], "ch340": [0x5F, 0x9A, 0xA1, 0xA4],
        "ft232r": [0x00, 0x01, 0x02, 0x03, 0x04, 0x09], "ch343": [0x20, 0x22], "cdc-acm": [0x20, 0x22],
        "usb-serial-jtag": [0x20, 0x22], "rom-otg-s3": [0x20, 0x22],
    ]
    private static let setups = (EmulatedDeviceTests.uarts + EmulatedDeviceTests.chips).flatMap { kind in
        (requests[kind.name] ?? []).map { Setup(kind: kind, request: $0) }
    }
    /// Questions about the variant of a chip, which a clone may not know.
    private static let inquiries: Set<UInt8> = [0xFF, 0x5F]

    private func expectGivenBack(
        _ bus: EmulatedBus, _ kind: EmulatedDeviceTests.Kind, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let events = try bus.events()
        for interface in kind.interfaces {
            let last = events.last { $0.hasSuffix(" 1-1 \(interface)") }
            #expect(last == "attached 1-1 \(interface)", sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: setups)
    func aRefusedRequestIsAnError(setup: Setup) async throws {
        let bus = try await EmulatedBus(setup.kind.name)
        let probe = try bus.probe()
        try await bus.setFault("stall", setup.request)
        let answer = try await probe("open a \(setup.kind.address)")
        if Self.inquiries.contains(setup.request) {
            #expect(answer == "ok open")
        } else {
            #expect(
                answer == "error unsupported \(setup.kind.address): setting the device up: the device refused the "
                    + "request (STALL)")
            try expectGivenBack(bus, setup.kind)
            try await bus.setFault("none", setup.request)
            try await probe.expect("open a \(setup.kind.address)", "ok open")
        }
        await probe.end()
        try expectGivenBack(bus, setup.kind)
        await bus.end()
    }

    @Test(arguments: setups)
    func aRequestWithoutAnswerIsAnError(setup: Setup) async throws {
        let bus = try await EmulatedBus(setup.kind.name)
        let probe = try bus.probe()
        try await bus.setFault("silence", setup.request)
        let action = Self.inquiries.contains(setup.request) ? "asking for the kind of chip" : "setting the device up"
        try await probe.expect(
            "open a \(setup.kind.address)",
            "error system \(setup.kind.address): \(action): the device did not answer in time")
        try expectGivenBack(bus, setup.kind)
        await probe.end()
        await bus.end()
    }

    @Test(arguments: setups)
    func aDeviceThatVanishesWhileItIsOpenedIsAnError(setup: Setup) async throws {
        let bus = try await EmulatedBus(setup.kind.name)
        let probe = try bus.probe()
        try await bus.setFault("unplug", setup.request)
        try await probe.expect(
            "open a \(setup.kind.address)",
            "error disconnected \(setup.kind.address): the device is gone; was it unplugged?")
        await probe.end()
        await bus.end()
    }

    @Test(arguments: EmulatedDeviceTests.uarts)
    func aDeviceThatVanishesWhileItIsConfiguredIsAnError(kind: EmulatedDeviceTests.Kind) async throws {
        guard let request = [0x1E, 0x9A, 0x03, 0x20].first(where: { Self.requests[kind.name]?.contains($0) ?? false })
        else { return }
        let bus = try await EmulatedBus("\(kind.name)=loopback")
        let probe = try bus.probe()
        try await probe.expect("open a \(kind.address)", "ok open")
        try await bus.setFault("unplug", request)
        let gone = "error disconnected \(kind.address): the device is gone; was it unplugged?"
        try await probe.expect("rate a \(kind.rate)", gone)
        try await probe.expect("read a 1 -1", gone)
        await probe.end()
        await bus.end()
    }

    /// A reset may take the chip away before it has acknowledged the request.
    @Test(arguments: EmulatedDeviceTests.chips)
    func aResetMayHaveNoAnswer(kind: EmulatedDeviceTests.Kind) async throws {
        let bus = try await EmulatedBus(kind.name)
        let probe = try bus.probe()
        try await probe.expect("open a \(kind.address)", "ok open")
        try await bus.setFault("loss", 0x22)
        try await probe.expect("lines a 0 1", "ok set")
        try await bus.setFault("none", 0x22)
        try await bus.waitFor(1, "unplugged 1-1")
        try await probe.expect("lines a 0 0", "ok set")
        #expect(try await probe("collect a 400 3000").contains("invalid header"))
        await probe.end()
        await bus.end()
    }

    @Test func devicesWithoutSerialNumberAreToldApartByTheirPlace() async throws {
        let bus = try await EmulatedBus("ch340=loopback", "ch340=loopback")
        let probe = try bus.probe()
        try await probe.expect(
            "open a usb:1a86:7523", "error ambiguous usb:1a86:7523: 2 devices match; give one of usb:1-1, usb:1-2")
        for (name, place) in [("a", "usb:1-1"), ("b", "usb:1-2")] {
            try await probe.expect("open \(name) \(place)", "ok open")
            try await probe.expect("echo \(name) 300", "ok equal 300")
        }
        await probe.end()
        await bus.end()
    }

    @Test func devicesWithTheSameSerialNumberAreToldApartByTheirPlace() async throws {
        let bus = try await EmulatedBus("cp2102:0001=loopback", "cp2102:0001=loopback")
        let probe = try bus.probe()
        try await probe.expect(
            "open a usb:10c4:ea60:0001",
            "error ambiguous usb:10c4:ea60:0001: 2 devices match; give one of usb:1-1, usb:1-2")
        try await probe.expect("open a usb:1-2", "ok open")
        try await probe.expect("echo a 300", "ok equal 300")
        await probe.end()
        await bus.end()
    }

    /// The ROM's USB-OTG has the serial number 0 on every chip.
    @Test func anotherDeviceWithTheSameSerialNumberIsNotTakenForOneThatIsAway() async throws {
        let bus = try await EmulatedBus("rom-otg-s3", "rom-otg-s3")
        let probe = try bus.probe()
        try await probe.expect("open a usb:1-1", "ok open")
        try await bus.setPlugged(false)
        // It waits for its own device, which never comes back.
        try await probe.expectEnd(
            "a",
            "error disconnected usb:1-1: the device vanished and did not come back within 5 s; was it unplugged?")
        #expect(try bus.events().contains("claimed 1-2 0") == false)
        await probe.end()
        await bus.end()
    }

    @Test func anotherBoardInThePlaceOfOneThatIsAwayIsNotTakenForIt() async throws {
        let bus = try await EmulatedBus("usb-serial-jtag")
        let probe = try bus.probe()
        try await probe.expect("open a usb:1-1", "ok open")
        try await bus.setPlugged(false)
        try await bus.become("usb-serial-jtag:7C:DF:A1:00:00:99")
        try await bus.setPlugged(true)
        try await probe.expectEnd(
            "a",
            "error disconnected usb:1-1: the device vanished and did not come back within 5 s; in its place is "
                + "303a:1001 (USB JTAG/serial debug unit), serial number 7C:DF:A1:00:00:99")
        try await probe.expect("open b usb:1-1", "ok open")
        await probe.end()
        await bus.end()
    }

    @Test func aBridgeInThePlaceOfABoardIsNamed() async throws {
        let bus = try await EmulatedBus("usb-serial-jtag")
        let probe = try bus.probe()
        try await probe.expect("open a usb:1-1", "ok open")
        try await bus.setPlugged(false)
        try await bus.become("ft232r")
        try await bus.setPlugged(true)
        try await probe.expectEnd(
            "a",
            "error disconnected usb:1-1: the device vanished and did not come back within 5 s; in its place is "
                + "0403:6001 (FT232R USB UART), serial number A5069RR4")
        await probe.end()
        await bus.end()
    }

    /// An S3 that runs an application on USB-Serial-JTAG comes back as the ROM's USB-OTG, or the other way round.
    @Test func aChipThatComesBackWithItsOtherControllerIsFollowed() async throws {
        let bus = try await EmulatedBus("usb-serial-jtag")
        let probe = try bus.probe()
        try await probe.expect("open a usb:303a:1001", "ok open")
        try await bus.setPlugged(false)
        try await bus.become("rom-otg-s3")
        try await bus.setPlugged(true)
        try await bus.waitFor(2, "claimed 1-1 1")
        try await probe.expect("lines a 0 0", "ok set")
        try await probe.expect("traits a", "ok usbOTG 0")
        await probe.end()
        await bus.end()
    }

    @Test func aDeviceBehindHubsHasAllPortsInItsAddress() async throws {
        let bus = try await EmulatedBus(
            "--ports", "1.4.2", "cp2102:A1=loopback", "--ports", "1.4.10", "cp2102:A1=loopback", "--ports", "1.3",
            "ch340=loopback")
        let probe = try bus.probe()
        #expect(
            try await probe("list").split(separator: ";").map { $0.prefix { $0 != "|" } }
                == ["ok usb:1-1.3", "usb:1-1.4.10", "usb:1-1.4.2"])
        try await probe.expect(
            "open a usb:10c4:ea60:A1",
            "error ambiguous usb:10c4:ea60:A1: 2 devices match; give one of usb:1-1.4.10, usb:1-1.4.2")
        try await probe.expect("open a usb:1-1.4.2", "ok open")
        try await probe.expect("open b usb:1-1.4.10", "ok open")
        for name in ["a", "b"] { try await probe.expect("echo \(name) 300", "ok equal 300") }
        // The hub itself is no port.
        #expect(try await probe("open c usb:1-1.4").hasPrefix("error notFound usb:1-1.4: "))
        try await bus.setPlugged(false)
        try await probe.expect(
            "read a 1 -1", "error disconnected usb:1-1.4.2: the device is gone; was it unplugged?")
        try await probe.expect("echo b 300", "ok equal 300")
        await probe.end()
        await bus.end()
    }

    @Test(
        arguments: ["cp2102", "ft232r", "ch340", "cdc-acm"],
        [
            "noInterfaces", "noEndpoints", "inputOnly", "interruptOnly", "shortTotal", "endpointOfNoLength",
        ])
    func aDeviceWithoutItsEndpointsIsNoPort(kind: String, fault: String) async throws {
        let bus = try await EmulatedBus("\(kind)~\(fault)")
        let probe = try bus.probe()
        try await probe.expect("list", "ok ")
        let answer = try await probe("open a usb:1-1")
        #expect(answer.hasPrefix("error unsupported usb:1-1: expected a USB serial device, got "), "\(answer)")
        await probe.end()
        #expect(try bus.events().filter { !$0.hasSuffix("plugged 1-1") } == [])
        await bus.end()
    }

    @Test(
        arguments: ["cp2102", "ft232r", "ch340", "cdc-acm"],
        ["emptyPackets", "longTotal", "endpointTooLong", "manyInterfaces"])
    func wrongLengthsInDescriptorsDoNotEndTheProgram(kind: String, fault: String) async throws {
        let bus = try await EmulatedBus("\(kind)~\(fault)=loopback")
        let probe = try bus.probe()
        let list = try await probe("list")
        #expect(list.hasPrefix("ok "), "\(list)")
        let answer = try await probe("open a usb:1-1")
        #expect(
            answer == "ok open" || answer.hasPrefix("error unsupported usb:1-1: expected a USB serial"), "\(answer)")
        // An FT232R packet without room for more than its status carries nothing.
        if answer == "ok open", kind != "ft232r" || fault != "emptyPackets" {
            try await probe.expect("echo a 300", "ok equal 300")
        }
        await probe.end()
        await bus.end()
    }

    @Test(arguments: ["noStrings", "controlCharacters", "longStrings"])
    func stringsDoNotMatter(fault: String) async throws {
        let bus = try await EmulatedBus("ft232r~\(fault)=loopback")
        let probe = try bus.probe()
        let list = try await probe("list")
        #expect(list.hasPrefix("ok usb:1-1|"), "\(list)")
        // Nothing that a terminal would obey.
        #expect(!list.unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(list.debugDescription)")
        #expect(!list.contains("\u{202E}"), "\(list.debugDescription)")
        try await probe.expect("open a usb:0403:6001", "ok open")
        try await probe.expect("echo a 300", "ok equal 300")
        await probe.end()
        await bus.end()
    }
}
