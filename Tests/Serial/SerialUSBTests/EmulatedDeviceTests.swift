import Foundation
import Testing

/// The drivers through the system's libusb, unmodified, against the emulated devices.
@Suite(
    .enabled(if: EmulatedBus.isAvailable, "needs umockdev and libumockdev-dev: Scripts/test installs them"),
    .serialized, .timeLimit(.minutes(10)))
struct EmulatedDeviceTests {
    /// A kind of device in `EmulatedUSB`, its address and what the listing says of it.
    struct Kind: CustomTestStringConvertible, Sendable {
        var name: String
        var address: String
        var listed: String
        var traits: String
        /// The interfaces that are claimed.
        var interfaces = [0]
        /// A rate that the UART is set to.
        var rate = 921_600

        var testDescription: String { name }
        var isUART: Bool { traits.hasPrefix("uart") }
    }

    static let uarts = [
        Kind(
            name: "cp2102", address: "usb:10c4:ea60:0001",
            listed: "usb:1-1|CP2102 USB to UART Bridge Controller|0001", traits: "uart 921600"),
        Kind(
            name: "cp2102n", address: "usb:10c4:ea60", listed: "usb:1-1|CP2102N USB to UART Bridge Controller|0001",
            traits: "uart 3000000", rate: 3_000_000),
        Kind(name: "ch340", address: "usb:1a86:7523", listed: "usb:1-1|USB Serial|-", traits: "uart 2000000"),
        Kind(
            name: "ch343", address: "usb:1a86:55d3", listed: "usb:1-1|USB Single Serial|5647012345",
            traits: "uart 6000000", interfaces: [0, 1]),
        Kind(
            name: "ch9102", address: "usb:1a86:55d4", listed: "usb:1-1|USB Single Serial|5647012346",
            traits: "uart 4000000", interfaces: [0, 1]),
        Kind(
            name: "ft232r", address: "usb:0403:6001:A5069RR4", listed: "usb:1-1|FT232R USB UART|A5069RR4",
            traits: "uart 3000000", rate: 3_000_000),
        Kind(
            name: "cdc-acm", address: "usb:1-1", listed: "usb:1-1|", traits: "uart 0", interfaces: [0, 1]),
    ]

    static let chips = [
        Kind(
            name: "usb-serial-jtag", address: "usb:303a:1001:7C:DF:A1:00:00:01",
            listed: "usb:1-1|USB JTAG/serial debug unit|7C:DF:A1:00:00:01", traits: "usbSerialJTAG 0",
            interfaces: [0, 1]),
        Kind(
            name: "rom-otg-s2", address: "usb:303a:0002", listed: "usb:1-1|ESP32-S2|0", traits: "usbOTG 0",
            interfaces: [0, 1]),
        Kind(
            name: "rom-otg-s3", address: "usb:303a:0009", listed: "usb:1-1|ESP32-S3|0", traits: "usbOTG 0",
            interfaces: [0, 1]),
    ]

    @Test(arguments: uarts)
    func everyByteIsTransferred(kind: Kind) async throws {
        let bus = try await EmulatedBus("\(kind.name)=loopback")
        let probe = try bus.probe()
        #expect(try await probe("list").hasPrefix("ok \(kind.listed)"))
        try await probe.expect("open a \(kind.address)", "ok open")
        try await probe.expect("traits a", "ok \(kind.traits)")
        try await probe.expect("echo a 3000", "ok equal 3000")
        try await probe.expect("rate a \(kind.rate)", "ok set")
        // Exact multiples of a packet and of a transfer, and many of them.
        for count in [1, 62, 64, 4096, 200_000] {
            try await probe.expect("echo a \(count)", "ok equal \(count)")
        }
        try await probe.expect("cancel-read a", "ok cancelled")
        try await probe.expect("write a 55", "ok written")
        try await probe.expect("read a 10 5000", "ok 55")
        try await probe.expect("read a 10 1", "ok ")
        #expect(try await probe("rate a 0").hasPrefix("error unsupported \(kind.address): the "))
        try await probe.expect("close a", "ok closed")
        try await probe.expect("read a 1 1", "error disconnected \(kind.address): the port was closed")
        await probe.end()
        // Each interface was taken from the kernel's driver, and given back in the end.
        let expected = ["detached", "claimed", "released", "attached"]
        for interface in kind.interfaces {
            let own = try bus.events().filter { $0.hasSuffix(" 1-1 \(interface)") }.map { $0.prefix { $0 != " " } }
            #expect(own.map(String.init) == expected)
        }
        await bus.end()
    }

    @Test(arguments: uarts + chips)
    func aBoardIsFlashedAndRestarted(kind: Kind) async throws {
        let bus = try await EmulatedBus(kind.name)
        let probe = try bus.probe()
        try await probe.expect("open a \(kind.address)", "ok open")
        try await probe.expect("traits a", "ok \(kind.traits)")
        // Into download mode, and, after the write, into the application: there is none, and the ROM says so.
        let answer = try await probe("flash a 65536 70000")
        #expect(answer.hasSuffix(" verified true differences 0"), "\(kind.name): \(answer)")
        // A chip's own USB is back only after the first boot log; without an application there is another soon.
        let console = try await probe("collect a \(kind.isUART ? 160 : 400) 3000")
        #expect(console.contains("boot:0x13 (SPI_FAST_FLASH_BOOT)"), "\(console)")
        #expect(console.contains("invalid header: 0xffffffff"), "\(console)")
        try await probe.expect("close a", "ok closed")
        await probe.end()
        await bus.end()
    }

    @Test(arguments: uarts)
    func unpluggingEndsAPendingRead(kind: Kind) async throws {
        let bus = try await EmulatedBus("\(kind.name)=loopback")
        let probe = try bus.probe()
        try await probe.expect("open a \(kind.address)", "ok open")
        try await probe.expect("echo a 10", "ok equal 10")
        try probe.begin("read a 10 -1")
        try await bus.setPlugged(false)
        let gone = "error disconnected \(kind.address): the device is gone; was it unplugged?"
        #expect(try await probe.answer() == gone)
        try await probe.expect("write a 55", gone)
        try await probe.expect("lines a 1 0", gone)
        try await probe.expect("read a 1 0", gone)
        try await probe.expectEventually("list", "ok ")
        try await probe.expect("close a", "ok closed")
        // Plugged in again, it can be opened again.
        try await bus.setPlugged(true)
        try await probe.expectEventually("open b \(kind.address)", "ok open")
        try await probe.expect("echo b 100", "ok equal 100")
        await probe.end()
        await bus.end()
    }

    @Test(arguments: uarts)
    func unpluggingEndsAPendingWrite(kind: Kind) async throws {
        let bus = try await EmulatedBus("\(kind.name)=loopback")
        let probe = try bus.probe()
        try await probe.expect("open a \(kind.address)", "ok open")
        // More than can be sent by then.
        try probe.begin("pattern a 20000000")
        try await Task.sleep(for: .milliseconds(300))
        try await bus.setPlugged(false)
        #expect(
            try await probe.answer() == "error disconnected \(kind.address): the device is gone; was it unplugged?")
        await probe.end()
        await bus.end()
    }

    @Test(arguments: uarts + chips)
    func aSecondOpeningIsBusy(kind: Kind) async throws {
        let bus = try await EmulatedBus(kind.name)
        let probe = try bus.probe()
        try await probe.expect("open a \(kind.address)", "ok open")
        try await probe.expect(
            "open b usb:1-1",
            "error busy usb:1-1: another program has the USB device; close its serial monitor and try again")
        try await probe.expect("close a", "ok closed")
        try await probe.expect("open b usb:1-1", "ok open")
        await probe.end()
        await bus.end()
    }

    @Test(.enabled(if: getuid() == 0, "needs root, to become another user"), arguments: uarts + chips)
    func aUserWithoutPermissionIsToldOfTheRule(kind: Kind) async throws {
        let bus = try await EmulatedBus(kind.name)
        let refused = try bus.probe(mode: "0600", user: 65_534)
        #expect(try await refused("list").hasPrefix("ok \(kind.listed)"))
        try await refused.expect(
            "open a usb:1-1",
            "error accessDenied usb:1-1: this user may not open the USB device; install espbench's udev rule, "
                + "then plug the board in again")
        await refused.end()
        let allowed = try bus.probe(mode: "0666", user: 65_534)
        try await allowed.expect("open a usb:1-1", "ok open")
        await allowed.end()
        await bus.end()
    }

    @Test func severalDevicesAreToldApart() async throws {
        let bus = try await EmulatedBus("cp2102:A1=loopback", "cp2102:A2=loopback", "ch340=loopback")
        let probe = try bus.probe()
        try await probe.expect(
            "open a usb:10c4:ea60", "error ambiguous usb:10c4:ea60: 2 devices match; give one of usb:1-1, usb:1-2")
        try await probe.expect("open a usb:10c4:ea60:A2", "ok open")
        try await probe.expect("open b usb:1-1", "ok open")
        try await probe.expect("open c usb:1a86:7523", "ok open")
        for name in ["a", "b", "c"] { try await probe.expect("echo \(name) 500", "ok equal 500") }
        try await probe.expect(
            "open d usb:10c4:ea60:A3",
            "error notFound usb:10c4:ea60:A3: there is no such USB device")
        await probe.end()
        await bus.end()
    }

    @Test func pluggingIsWatched() async throws {
        let bus = try await EmulatedBus("cp2102=loopback")
        let probe = try bus.probe()
        #expect(try await probe("list").hasPrefix("ok usb:1-1|"))
        try probe.begin("watch 2")
        try await Task.sleep(for: .milliseconds(500))
        try await bus.setPlugged(false)
        try await Task.sleep(for: .milliseconds(500))
        try await bus.setPlugged(true)
        #expect(try await probe.answer() == "ok changed")
        #expect(try await probe("list").hasPrefix("ok usb:1-1|"))
        await probe.end()
        await bus.end()
    }
}
