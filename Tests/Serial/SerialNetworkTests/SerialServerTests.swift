import SerialNetwork
import SerialPort
import Testing

private let everyByte = (0..<1024).map { UInt8(truncatingIfNeeded: $0) }

@Suite(.timeLimit(.minutes(10))) struct SerialServerTests {
    @Test(arguments: [SerialServer.Transport.socket, .rfc2217])
    func everyByteIsTransferredInBothDirections(transport: SerialServer.Transport) async throws {
        let fake = FakePort()
        let echoed = try await withServer(transport, open: { fake }) { server in
            let port = try await NetworkPort.open(server.address)
            try await port.write(everyByte)
            let echoed = try await read(everyByte.count, from: port)
            await port.close()
            return echoed
        }
        #expect(echoed == everyByte)
        #expect(await fake.history.last == "close")
    }

    @Test func modemLinesAreSetInOneStepAfterTheRate() async throws {
        let fake = FakePort()
        try await withServer(.rfc2217, open: { fake }) { server in
            let port = try await NetworkPort.open(server.address)
            #expect(port.hasModemLines)
            try await port.setModemLines(ModemLines(dtr: false, rts: true))
            try await port.setModemLines(ModemLines(dtr: true, rts: false))
            try await port.configure(SerialSettings(baudRate: 921_600))
            try await port.discardInput()
            await port.close()
        }
        #expect(
            await fake.history == [
                "baud 115200", "dtr 0 rts 1", "dtr 1 rts 0", "baud 921600", "discard", "close",
            ])
    }

    @Test(arguments: [true, false]) func aClientLearnsWhetherThePortHasModemLines(hasModemLines: Bool) async throws {
        let fake = FakePort(hasModemLines: hasModemLines)
        let isKnown = try await withServer(.rfc2217, open: { fake }) { server in
            let port = try await NetworkPort.open(server.address)
            try await port.setModemLines(ModemLines(dtr: true, rts: false))
            await port.close()
            return port.hasModemLines == hasModemLines
        }
        #expect(isKnown)
        #expect(await fake.history == ["baud 115200"] + (hasModemLines ? ["dtr 1 rts 0"] : []) + ["close"])
    }

    @Test func aRefusedRateIsAnError() async throws {
        let fake = FakePort()
        try await withServer(.rfc2217, open: { fake }) { server in
            let port = try await NetworkPort.open(server.address)
            let error = await #expect(throws: SerialPortError.self) {
                try await port.configure(SerialSettings(baudRate: 9_000_000))
            }
            #expect(error?.code == .unsupported)
            #expect(error?.detail == "expected 9000000 baud, the server's port is set to 115200")
            await port.close()
        }
    }

    @Test(arguments: [SerialServer.Transport.socket, .rfc2217])
    func aSecondClientIsRefusedWithTheReason(transport: SerialServer.Transport) async throws {
        let log = LogLines()
        let gate = OneAtATime()
        try await withServer(transport, log: log, open: { try await gate.open() }) { server in
            let place = try #require(try NetworkAddress(server.address))
            let holder = try await NetworkPort.open(server.address)
            try await holder.write([1])
            #expect(try await read(1, from: holder) == [1])
            let second = try await NetworkPort.open(.socket(host: place.host, port: place.port))
            // The refusal is no data: a monitor would show it, and take it for a line of the board.
            var text: [UInt8] = []
            let end = await #expect(throws: SerialPortError.self) {
                while true { text += try await second.read(upTo: 100, within: .seconds(20)) }
            }
            #expect(String(decoding: text, as: UTF8.self) == "")
            #expect(end?.code == .busy)
            // Our own clients report it, too.
            let refused = await #expect(throws: SerialPortError.self) {
                let third = try await NetworkPort.open(server.address)
                while true { _ = try await third.read(upTo: 100, within: .seconds(20)) }
            }
            #expect(refused?.code == .busy)
            #expect(refused?.detail == "the server refused the connection: fake: in use")
            let writing = await #expect(throws: SerialPortError.self) {
                let fourth = try await NetworkPort.open(server.address)
                while true { try await fourth.write([1]) }
            }
            #expect(writing?.code == .busy)
            try await holder.write([2])
            #expect(try await read(1, from: holder) == [2])
            await holder.close()
        }
        #expect(log.all.contains { $0.contains("refused 127.0.0.1:") && $0.hasSuffix("fake: in use") })
    }

    /// The end of the first connection reaches the port after the second one.
    @Test func aClientThatComesWhileTheLastOneLeavesIsServed() async throws {
        let gate = OneAtATime()
        try await withServer(.socket, open: { try await gate.open() }) { server in
            let first = try await NetworkPort.open(server.address)
            try await first.write([1])
            #expect(try await read(1, from: first) == [1])
            let second = try await NetworkPort.open(server.address)
            await first.close()
            try await second.write([2])
            #expect(try await read(1, from: second) == [2])
            await second.close()
        }
    }

    @Test(arguments: ["espbench: refused: ", "espbench: refused: x\r\nmore", "ets\r\nespbench: refused: x\r\n"])
    func aClosedPortIsNotReportedAsARefusal(printed: String) async throws {
        let fake = FakePort(echoes: false)
        await fake.deliver(Array(printed.utf8))
        try await withServer(.socket, open: { fake }) { server in
            let port = try await NetworkPort.open(server.address)
            #expect(try await read(printed.utf8.count, from: port) == Array(printed.utf8))
            await fake.close()
            let error = await #expect(throws: SerialPortError.self) { _ = try await port.read(upTo: 1, within: nil) }
            #expect(error?.code == .disconnected)
        }
    }

    /// As long as it does not end its connection.
    @Test func aBoardMayPrintARefusal() async throws {
        let fake = FakePort(echoes: false)
        let printed = Array("espbench: refused: x\r\n".utf8)
        await fake.deliver(printed)
        try await withServer(.socket, open: { fake }) { server in
            let port = try await NetworkPort.open(server.address)
            #expect(try await read(printed.count, from: port) == printed)
            await port.close()
        }
    }

    @Test func aPortWithoutServerIsNotFound() async throws {
        let server = try SerialServer(.socket, port: 0) { _ in }
        let address = server.address
        server.stop()
        // A stopped server's port may stay open for a moment; a reset connection gives the same kind of error.
        let error = await #expect(throws: SerialPortError.self) {
            while true {
                let port = try await NetworkPort.open(address, within: .seconds(2))
                await port.close()
            }
        }
        #expect(error?.code == .notFound)
    }

    @Test func aServerThatDoesNotSpeakRFC2217IsUnsupported() async throws {
        let error = await #expect(throws: SerialPortError.self) {
            try await withServer(.socket, open: { FakePort(echoes: false) }) { server in
                let place = try #require(try NetworkAddress(server.address))
                _ = try await NetworkPort.open(.rfc2217(host: place.host, port: place.port), within: .milliseconds(100))
            }
        }
        #expect(error?.code == .unsupported)
    }

    @Test func aPortThatCannotBeListenedAtIsNoBusyPort() throws {
        let first = try SerialServer(.socket, port: 0) { _ in }
        let port = try #require(try NetworkAddress(first.address)).port
        let error = #expect(throws: SerialPortError.self) { try SerialServer(.rfc2217, port: port) { _ in } }
        #expect(error?.code == .addressInUse)
        #expect(error?.detail == "listening failed: Address already in use")
        first.stop()
        let nowhere = #expect(throws: SerialPortError.self) {
            try SerialServer(.socket, host: "192.0.2.1", port: 0) { _ in }
        }
        #expect(nowhere?.code == .cannotListen)
    }
}

/// Opens a port for one client at a time, as a board does.
actor OneAtATime {
    private var port: FakePort?

    func open() async throws -> any SerialPort {
        if let port, await !port.history.contains("close") {
            throw SerialPortError(.busy, port: "fake", "in use")
        }
        let opened = FakePort()
        port = opened
        return opened
    }
}

extension PortAddress {
    /// The same TCP port without telnet.
    var asSocket: PortAddress {
        get throws {
            let place = try #require(try NetworkAddress(self))
            return .socket(host: place.host, port: place.port)
        }
    }
}
