import SerialPOSIX
import SerialPort
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite struct POSIXSerialPortTests {
    private static let everyByte = (0...255).map { UInt8($0) }

    /// The next `count` bytes.
    private func read(_ count: Int, from port: POSIXSerialPort) async throws -> [UInt8] {
        var result: [UInt8] = []
        while result.count < count { result += try await port.read(upTo: count - result.count, within: nil) }
        return result
    }

    private func code(_ body: () async throws -> Void) async -> SerialPortError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? SerialPortError)?.code
        }
    }

    @Test func everyByteIsTransferredUnchangedInBothDirections() async throws {
        let terminal = try PseudoTerminal()
        let port = try POSIXSerialPort(path: terminal.path)
        terminal.send(Self.everyByte)
        #expect(try await read(256, from: port) == Self.everyByte)
        try await port.write(Self.everyByte)
        #expect(await terminal.receive(256) == Self.everyByte)
        await port.close()
        terminal.unplug()
    }

    @Test func aReadReturnsAtMostTheRequestedBytes() async throws {
        let terminal = try PseudoTerminal()
        let port = try POSIXSerialPort(path: terminal.path)
        terminal.send([1, 2, 3])
        #expect(try await port.read(upTo: 2, within: nil) == [1, 2])
        #expect(try await port.read(upTo: 2, within: nil) == [3])
        #expect(try await port.read(upTo: 2, within: .milliseconds(1)) == [])
        #expect(try await port.read(upTo: 2, within: .zero) == [])
        await port.close()
    }

    @Test func longWritesAreCompleted() async throws {
        let terminal = try PseudoTerminal()
        let port = try POSIXSerialPort(path: terminal.path)
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let received = terminal.startReceiving(bytes.count)
        try await port.write(bytes)
        #expect(await received.reduce([], +) == bytes)
        await port.close()
    }

    @Test func discardedInputIsNotRead() async throws {
        let terminal = try PseudoTerminal()
        let port = try POSIXSerialPort(path: terminal.path)
        terminal.send([1, 2, 3])
        #expect(try await port.read(upTo: 1, within: nil) == [1])
        try await port.discardInput()
        #expect(try await port.read(upTo: 2, within: .zero) == [])
        await port.close()
    }

    #if canImport(Glibc)
        @Test(arguments: [115_200, 74_880, 921_600, 1_234_567])
        func anyBaudRateCanBeSet(rate: Int) async throws {
            let terminal = try PseudoTerminal()
            let port = try POSIXSerialPort(path: terminal.path, settings: SerialSettings(baudRate: 9600))
            #expect(try terminal.rate() == 9600)
            try await port.configure(SerialSettings(baudRate: rate))
            #expect(try terminal.rate() == UInt32(rate))
            await port.close()
        }
    #endif

    @Test func anInvalidRateIsUnsupported() async throws {
        let terminal = try PseudoTerminal()
        let port = try POSIXSerialPort(path: terminal.path)
        #expect(await code { try await port.configure(SerialSettings(baudRate: 0)) } == .unsupported)
        #expect(await code { try await port.configure(SerialSettings(baudRate: -1)) } == .unsupported)
        await port.close()
    }

    @Test func aPseudoTerminalHasNoModemLines() async throws {
        let terminal = try PseudoTerminal()
        let port = try POSIXSerialPort(path: terminal.path)
        #expect(!port.hasModemLines)
        try await port.setModemLines(ModemLines(dtr: true, rts: true))
        await port.close()
    }

    @Test func anUnpluggedDeviceDisconnectsPendingAndLaterReads() async throws {
        let terminal = try PseudoTerminal()
        let port = try POSIXSerialPort(path: terminal.path)
        async let waiting = code { _ = try await port.read(upTo: 1, within: nil) }
        terminal.unplug()
        #expect(await waiting == .disconnected)
        #expect(await code { _ = try await port.read(upTo: 1, within: .zero) } == .disconnected)
        #expect(await code { try await port.write([1]) } == .disconnected)
        await port.close()
    }

    @Test func closingEndsAPendingRead() async throws {
        let terminal = try PseudoTerminal()
        let port = try POSIXSerialPort(path: terminal.path)
        async let waiting = code { _ = try await port.read(upTo: 1, within: nil) }
        await port.close()
        await port.close()
        #expect(await waiting == .disconnected)
        #expect(await code { try await port.write([1]) } == .disconnected)
        #expect(await code { try await port.configure(.default) } == .disconnected)
        // It can be opened again.
        let again = try POSIXSerialPort(path: terminal.path)
        await again.close()
    }

    @Test func aCancelledReadEnds() async throws {
        let terminal = try PseudoTerminal()
        let port = try POSIXSerialPort(path: terminal.path)
        let task = Task { try await port.read(upTo: 1, within: nil) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        // Later bytes go to the next reader.
        terminal.send([9])
        #expect(try await port.read(upTo: 1, within: nil) == [9])
        await port.close()
    }

    @Test func aPortCannotBeOpenedTwice() async throws {
        let terminal = try PseudoTerminal()
        let port = try POSIXSerialPort(path: terminal.path)
        let error = try #require(throws: SerialPortError.self) { try POSIXSerialPort(path: terminal.path) }
        #expect(error.code == .busy)
        #if os(Linux)
            // The program that has it is named: here the test itself.
            #expect(error.detail.hasSuffix("(pid \(getpid())) has it open; end that program and try again"))
        #endif
        await port.close()
    }

    @Test func aPathThatIsNoPortIsAnError() async throws {
        let missing = try #require(throws: SerialPortError.self) { try POSIXSerialPort(path: "/dev/ttyUSB999") }
        #expect(missing.code == .notFound)
        #expect(missing.description == "/dev/ttyUSB999: there is no such port")
        let file = try #require(throws: SerialPortError.self) { try POSIXSerialPort(path: "/dev/null") }
        #expect(file.code == .noSerialPort)
    }

    @Test(arguments: [
        (ENOENT, SerialPortError.Code.notFound, "there is no such port"),
        (EACCES, .accessDenied, "sudo usermod -aG dialout $USER"), (EBUSY, .busy, "close its serial monitor"),
        (EIO, .disconnected, "was it unplugged?"), (ENOTTY, .noSerialPort, "expected a serial port"),
        (ENOMEM, .system, "opening: Cannot allocate memory (errno 12)"),
    ])
    func systemErrorsSuggestARemedy(number: Int32, code: SerialPortError.Code, text: String) {
        let error = SerialPortError.system(number, port: "/dev/ttyUSB0", "opening")
        #expect(error.code == code)
        #expect(error.description.hasPrefix("/dev/ttyUSB0: "))
        #expect(error.description.contains(text), "\(error)")
    }
}
