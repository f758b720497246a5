import Foundation
import Testing

/// The program itself on emulated devices: a sketch is built, flashed and runs, and the device is given back.
@Suite(
    .enabled(if: EmulatedBus.isAvailable, "needs umockdev and libumockdev-dev: Scripts/test installs them"),
    .serialized, .timeLimit(.minutes(10)))
struct ProgramTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized
    private static let builds = root.appending(path: ".build/test-builds")

    private func espbench(
        _ bus: EmulatedBus, _ arguments: [String], through shell: [String] = []
    ) throws -> ChildProcess {
        try bus.start(
            "espbench", arguments, through: shell,
            environment: [
                "HOME": bus.state.path, "XDG_STATE_HOME": bus.state.path, "XDG_CACHE_HOME": Self.builds.path,
            ])
    }

    private func flash(
        _ bus: EmulatedBus, _ options: [String] = [], through shell: [String] = []
    ) throws -> ChildProcess {
        let sketch = Self.root.appending(path: "Firmware/Calculator").path
        return try espbench(bus, ["flash", "--port", "usb:1-1", sketch] + options, through: shell)
    }

    @Test(arguments: ["cp2102", "ft232r", "cdc-acm"])
    func aSketchIsFlashedAndRuns(kind: String) async throws {
        let bus = try await EmulatedBus(kind)
        #expect(try await flash(bus).finish() == 0)
        #expect(try bus.events().last?.hasPrefix("attached 1-1") == true)
        let probe = try bus.probe()
        try await probe.expect("open a usb:1-1", "ok open")
        // A restart shows the console from the beginning.
        try await probe.expect("restart a", "ok restarted")
        let console = try await probe("collect a 2000 2000")
        #expect(console.contains("BLE Service is advertising"), "\(console)")
        #expect(!console.contains("invalid header"), "\(console)")
        await probe.end()
        await bus.end()
    }

    @Test func aMonitorFollowsAChipThatLeavesTheBusWithItsReset() async throws {
        let bus = try await EmulatedBus("usb-serial-jtag")
        #expect(try await flash(bus).finish() == 0)
        let monitor = try espbench(
            bus,
            ["monitor", "--port", "usb:1-1", "--reset", "--until", "BLE Service is advertising", "--timeout", "30s"])
        var lines: [String] = []
        while let line = await monitor.nextLine() { lines.append(line) }
        #expect(await monitor.finish() == 0, "\(lines)")
        #expect(lines.last?.hasSuffix("BLE Service is advertising") == true, "\(lines)")
        // What is printed before the device is back may be lost: that is said, before the output.
        #expect(lines.first?.contains("--- the board left the bus") == true, "\(lines)")
        await bus.end()
    }

    @Test func aMonitorThatWaitsForItsChipCanBeLeft() async throws {
        let bus = try await EmulatedBus("--reenumeration", "60000", "usb-serial-jtag")
        let monitor = try espbench(bus, ["monitor", "--port", "usb:1-1", "--reset"])
        try await bus.waitFor(1, "unplugged 1-1")
        monitor.signal(SIGTERM)
        #expect(await monitor.finish() == 7)
        await bus.end()
    }

    @Test(.enabled(if: getuid() == 0, "needs root, to become another user"), arguments: ["flash", "info", "monitor"])
    func aUserWithoutPermissionIsToldOfTheRule(verb: String) async throws {
        let bus = try await EmulatedBus("cp2102")
        let sketch = verb == "flash" ? [Self.root.appending(path: "Firmware/Calculator").path] : []
        let program = try bus.start(
            "espbench", [verb, "--port", "usb:1-1"] + sketch, mode: "0600", user: 65_534,
            environment: ["HOME": "/tmp", "XDG_STATE_HOME": "/tmp", "XDG_CACHE_HOME": Self.builds.path],
            mergesErrors: true)
        let lines = await program.lines()
        #expect(lines.contains { $0.contains("install espbench's udev rule") }, "\(lines)")
        #expect(await program.finish() == 9, "\(lines)")
        await bus.end()
    }

    /// Interrupted by a shell: on a busy machine the flash may have ended before a task of this process has its turn.
    @Test func anInterruptedFlashGivesTheDeviceBack() async throws {
        let bus = try await EmulatedBus("ch340")
        // Not SIGINT, which a shell may have set to be ignored in what it runs in the background.
        let script = """
            mkfifo "$HOME/events"
            "$@" >"$HOME/events" &
            while read -r line; do
              case $line in
                *'"phase":"writing","port":"usb:1-1","region":"application"'*) kill -TERM $!; cat >/dev/null ;;
              esac
            done <"$HOME/events"
            wait $!
            """
        let program = try flash(bus, ["--json"], through: ["/bin/sh", "-c", script, "sh"])
        let status = await program.finish()
        #expect(status == 7)
        let events = try bus.events()
        #expect(events.suffix(2) == ["released 1-1 0", "attached 1-1 0"], "\(events)")
        await bus.end()
    }
}
