import ESPChips
import ESPFlasher
import ESPImage
import SerialPort
import SerialUSB

/// The ports of a probe by name, and the commands.
struct ProbeSession {
    private var ports: [String: any SerialPort] = [:]
    private let kind = USBKind(returnLimit: .seconds(5))

    /// The bytes of a pattern: every value occurs, and no two neighbouring packets are equal.
    static func pattern(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
    }

    /// The answer; `nil` for an unknown command.
    mutating func perform(_ command: String, _ words: [String]) async throws -> String? {
        switch (command, words.count) {
        case ("list", 0):
            return try await kind.ports().map { port in
                "\(port.address.text)|\(port.name)|\(port.usb?.serialNumber ?? "-")"
            }.joined(separator: ";")
        case ("watch", 1):
            var left = Int(words[0]) ?? 1
            for await _ in USBKind.changes() {
                left -= 1
                if left == 0 { break }
            }
            return "changed"
        case ("open", 2), ("open", 3):
            guard let address = try kind.address(words[1]) else { return nil }
            let rate = words.count == 3 ? Int(words[2]) ?? 0 : 115_200
            ports[words[0]] = try await kind.open(address, SerialSettings(baudRate: rate))
            return "open"
        default:
            guard let name = words.first, let port = ports[name] else { return nil }
            return try await perform(command, Array(words.dropFirst()), on: port, name)
        }
    }

    private mutating func perform(
        _ command: String, _ words: [String], on port: any SerialPort, _ name: String
    ) async throws -> String? {
        let numbers = words.map { Int($0) ?? 0 }
        switch (command, words.count) {
        case ("read", 2):
            let limit = numbers[1] < 0 ? nil : Duration.milliseconds(numbers[1])
            return hex(try await port.read(upTo: numbers[0], within: limit))
        case ("collect", 2): return try await collect(numbers[0], within: .milliseconds(numbers[1]), port)
        case ("lines-of-source", 1): return try await receiveLines(numbers[0], port)
        case ("write", 1):
            try await port.write(bytes(words[0]))
            return "written"
        case ("pattern", 1):
            try await port.write(Self.pattern(numbers[0]))
            return "written"
        case ("echo", 1): return try await echo(numbers[0], port)
        case ("lines", 2):
            try await port.setModemLines(ModemLines(dtr: numbers[0] == 1, rts: numbers[1] == 1))
            return "set"
        case ("rate", 1):
            try await port.configure(SerialSettings(baudRate: numbers[0]))
            return "set"
        case ("discard", 0):
            try await port.discardInput()
            return "discarded"
        case ("traits", 0):
            return "\(port.traits.interface.rawValue) \(port.traits.highestBaudRate ?? 0)"
        case ("flash", 2): return try await flash(UInt32(numbers[0]), numbers[1], port)
        case ("restart", 0):
            try await Flasher(port: port, clock: ContinuousClock()).restart()
            return "restarted"
        case ("cancel-read", 0): return try await cancel(port) { _ = try await port.read(upTo: 1, within: nil) }
        case ("cancel-write-away", 0):
            while port.departureCount == 0 { try await port.pause(for: .milliseconds(5)) }
            return try await cancel(port) { try await port.write([0x55]) }
        case ("close", 0):
            await port.close()
            return "closed"
        default: return nil
        }
    }

    /// Begins a call, and cancels it.
    private func cancel(
        _ port: any SerialPort, _ call: @escaping @Sendable () async throws -> Void
    ) async throws -> String {
        let task = Task { try await call() }
        try await port.pause(for: .milliseconds(20))
        task.cancel()
        let result = await task.result
        if case .failure(let error) = result, error is CancellationError { return "cancelled" }
        return "not cancelled: \(result)"
    }

    /// Reads `count` bytes, or those that come within `limit` of each other.
    private func collect(_ count: Int, within limit: Duration, _ port: any SerialPort) async throws -> String {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let more = try await port.read(upTo: count - bytes.count, within: limit)
            if more.isEmpty { break }
            bytes += more
        }
        let lines = bytes.filter { $0 != 0x0D }.map { $0 == 0x0A ? UInt8(ascii: "|") : $0 }
        return String(decoding: lines, as: UTF8.self)
    }

    /// Starts a source (`SourcePeer`), reads `count` bytes with pauses, and compares them.
    private func receiveLines(_ count: Int, _ port: any SerialPort) async throws -> String {
        try await port.write([0x21])
        var expected: [UInt8] = []
        var (number, received) = (0, 0)
        while received < count {
            let bytes = try await port.read(upTo: 65_536, within: .seconds(20))
            if bytes.isEmpty { return "\(received) bytes, then none for 20 s" }
            while expected.count < bytes.count {
                expected += "I (\(number)) source: line \(number) of a board that prints\r\n".utf8
                number += 1
            }
            guard expected.starts(with: bytes) else { return "different after \(received) bytes" }
            expected.removeFirst(bytes.count)
            received += bytes.count
            // Now and then a reader is slow.
            if received / 100_000 != (received - bytes.count) / 100_000 {
                try await port.pause(for: .milliseconds(200))
            }
        }
        return "all \(received)"
    }

    /// Writes a pattern to a loopback and reads it at the same time.
    private func echo(_ count: Int, _ port: any SerialPort) async throws -> String {
        let wanted = Self.pattern(count)
        async let writing: Void = port.write(wanted)
        var bytes: [UInt8] = []
        while bytes.count < count {
            let more = try await port.read(upTo: count - bytes.count, within: .seconds(20))
            if more.isEmpty { break }
            bytes += more
        }
        try await writing
        if bytes == wanted { return "equal \(count)" }
        let first = zip(bytes, wanted).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        return "different: \(bytes.count) bytes, first difference at \(first ?? bytes.count)"
    }

    /// Enters the loader, writes a pattern, verifies it by its digest, and restarts the board.
    private func flash(_ offset: UInt32, _ count: Int, _ port: any SerialPort) async throws -> String {
        let flasher = Flasher(port: port, clock: ContinuousClock())
        let rate = port.traits.interface == .uart ? 460_800 : nil
        let board = try await flasher.open(SessionOptions(baudRate: rate))
        let layout = try FlashLayout([
            FlashLayout.Region(name: "pattern", offset: offset, bytes: Self.pattern(count))
        ])
        let summary = try await flasher.write(layout, to: board)
        let differences = try await flasher.verify(layout, on: board)
        try await flasher.restart()
        return "\(board.chip.name) \(flasher.baudRate) verified \(summary.isVerified) differences \(differences.count)"
    }

    /// Closes what is open.
    func closeAll() async {
        for port in ports.values { await port.close() }
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String(Int($0) + 0x100, radix: 16).dropFirst() }.joined()
    }

    private func bytes(_ hex: String) -> [UInt8] {
        var rest = Substring(hex)
        var result: [UInt8] = []
        while rest.count >= 2 {
            result.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
            rest = rest.dropFirst(2)
        }
        return result
    }
}
