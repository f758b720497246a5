import ByteCodec
import ESPChips
import ESPImage
import MonotonicTime
import Testing
import VirtualBoard

/// Flash contents for tests.
enum FlashContents {
    static let key = HostProgramKey([UInt8](repeating: 7, count: HostProgramKey.length))
    static let program = Array("#!/bin/true\n".utf8)
    static let description = AppDescription(
        version: "1", projectName: "test", time: "00:00:00", date: "Jan 01 2026", idfVersion: "v5.5",
        elfHash: [0xAB, 0xCD, 0xEF, 0x01, 0x23])

    static func bootloader() throws -> [UInt8] {
        try VirtualBootloader.image(
            for: .esp32, description: BootloaderDescription(version: 1, idfVersion: "v5.5", dateTime: "now"))
    }

    /// An application; without `key` one that carries no host program.
    static func app(sealedWith key: HostProgramKey? = key, chip: Chip = .esp32) throws -> [UInt8] {
        var builder = ImageBuilder(for: chip)
        builder.add(
            description.bytes[...] + [UInt8](repeating: 0, count: 44), at: chip.memory.flashData.lowerBound + 0x20)
        if let key {
            let host = HostProgram(abi: "test", layoutVersion: 1, program: program[...])
            builder.addMapped(host.seal(key: key, description: description)[...])
        }
        return try builder.build()
    }

    /// A flash with `pieces`.
    static func flash(_ pieces: [(offset: Int, bytes: [UInt8])]) throws -> NORFlash {
        let flash = try NORFlash(path: nil, random: SeededRandom(seed: 1))
        for piece in pieces { try flash.program(piece.bytes[...], at: piece.offset, now: .zero) }
        try flash.advance(to: flash.nextDeadline ?? .zero)
        return flash
    }

    /// A flash that boots `app`, with the given tables and images in place of the defaults.
    static func bootable(bootloader: [UInt8]? = nil, table: [UInt8]? = nil, app: [UInt8]? = nil) throws -> NORFlash {
        try flash([
            (0x1000, bootloader ?? Self.bootloader()), (0x8000, table ?? PartitionTable.arduino4MB.bytes()),
            (0x10000, app ?? Self.app()),
        ])
    }
}

/// A board machine driven in virtual time; its console is recorded.
final class PlayedBoard {
    let machine: BoardMachine
    private(set) var now: MonotonicInstant
    private(set) var sent: [UInt8] = []
    private(set) var chipEvents: [BoardMachine.ChipEvent] = []
    private(set) var applications: [(BootedApplication, ResetReason)] = []
    private(set) var delivered: [UInt8] = []
    private(set) var stops = 0

    init(
        _ flash: NORFlash, key: HostProgramKey? = FlashContents.key, now: MonotonicInstant = .zero, chip: Chip = .esp32
    ) {
        let identity = ChipIdentity(number: 1, flashSize: flash.size, chip: chip)
        machine = BoardMachine(flash: flash, identity: identity, key: key)
        self.now = now
    }

    var console: String { String(decoding: sent, as: UTF8.self) }

    func play(_ body: (BoardMachine, MonotonicInstant) throws -> Void) rethrows {
        try body(machine, now)
        settle()
    }

    /// Advances by `duration`, deadline by deadline.
    func pass(_ duration: Duration) {
        let end = now.advanced(by: duration)
        while let deadline = machine.nextDeadline, deadline <= end {
            now = max(now, deadline)
            machine.advance(to: now)
            settle()
        }
        now = end
        machine.advance(to: now)
        settle()
    }

    /// Removes and returns the output since the last call.
    func drainSent() -> [UInt8] {
        defer { sent.removeAll() }
        return sent
    }

    private func settle() {
        for action in machine.drainActions() {
            switch action {
            case .send(let bytes): sent += bytes
            case .startApplication(let application, let reason): applications.append((application, reason))
            case .stopApplication: stops += 1
            case .deliver(let bytes): delivered += bytes
            case .chip(let event): chipEvents.append(event)
            }
        }
    }
}
