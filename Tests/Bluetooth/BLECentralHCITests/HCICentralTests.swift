import BLECentral
import BLECentralHCI
import BLECore
import BLEPackets
import MonotonicTime
import BenchExecutor
import Synchronization
import Testing

@Suite struct HCICentralTests {
    // MARK: Power

    @Test func aSilentControllerTimesOut() throws {
        let bench = ScriptedBench { $0.ignored = [.leReadBufferSize] }
        let error = #expect(throws: CentralError.self) { try bench.run {} }
        #expect(error?.code == .unavailable)
        #expect(error?.description == "the controller: HCI 0x2002: expected an answer within 2 s, got none")
        #expect(bench.executor.now == .zero.advanced(by: .seconds(2)))
    }

    @Test func operationsBeforePowerOnAreErrors() throws {
        let bench = ScriptedBench()
        let code = try bench.executor.run {
            await failure { try await bench.central.startScanning(ScanFilter()) }?.code
        }
        #expect(code == .invalidState)
    }

    @Test func anUnresponsiveControllerFailsEveryOperation() throws {
        let bench = ScriptedBench(["0a1200": []])
        let codes = try bench.connected { central, connection in
            bench.transport.state.withLock { $0.ignored = [.leSetScanParameters] }
            async let read = failure { try await central.read(AttributeID(rawValue: 0x12), on: connection) }
            async let scan = failure { try await central.startScanning(ScanFilter()) }
            return await [read?.code, scan?.code]
        }
        #expect(codes == [.disconnected(reason: 0x03), .unavailable])
        let loss = CentralError(.unavailable, "the controller: HCI 0x200B: expected an answer within 2 s, got none")
        #expect(bench.events.all == [.disconnected(ConnectionID(rawValue: 1), reason: 0x03), .failed(loss)])
    }

    // MARK: Connecting

    @Test func aConnectionAttemptIsCancelledAtItsTimeOut() throws {
        let bench = ScriptedBench { $0.hasPeer = false }
        let error = try bench.run {
            await failure {
                try await bench.central.connectAndAccept(to: PeerID(ScriptedBench.peer), within: .seconds(5))
            }
        }
        #expect(error?.code == .timedOut)
        #expect(
            error?.description == "connect to F0:F0:F0:F0:F0:01: expected a connection in time, got none")
        #expect(bench.transport.state.withLock { $0.commands.last } == .leCreateConnectionCancel)
        #expect(bench.executor.now == .zero.advanced(by: .seconds(5)))
    }

    @Test func aRefusedConnectionAttemptHasTheStatus() throws {
        let bench = ScriptedBench { $0.refused = [.leCreateConnection: 0x0D] }
        let error = try bench.run {
            await failure {
                try await bench.central.connectAndAccept(to: PeerID(ScriptedBench.peer), within: .seconds(5))
            }
        }
        #expect(error?.code == .controller(status: 0x0D))
    }

    @Test func connectionAttemptsAreSequential() throws {
        let bench = ScriptedBench { $0.hasPeer = false }
        let codes = try bench.run {
            async let first = failure {
                try await bench.central.connectAndAccept(to: PeerID(ScriptedBench.peer), within: .seconds(5))
            }
            async let second = failure {
                try await bench.central.connectAndAccept(to: PeerID(ScriptedBench.peer), within: .seconds(3))
            }
            async let third = failure {
                try await bench.central.connectAndAccept(to: PeerID(ScriptedBench.peer), within: .seconds(7))
            }
            return await [first?.code, second?.code, third?.code]
        }
        #expect(codes == [.timedOut, .timedOut, .timedOut])
        let connects = bench.transport.state.withLock { $0.commands.count { $0 == .leCreateConnection } }
        #expect(connects == 2)
        #expect(bench.executor.now == .zero.advanced(by: .seconds(7)))
    }

    @Test func disconnectReturnsAfterTheDisconnectionIsReported() throws {
        let bench = ScriptedBench()
        let later = try bench.connected { central, connection in
            try await central.disconnect(connection)
            return await failure { try await central.read(AttributeID(rawValue: 1), on: connection) }
        }
        #expect(bench.events.all == [.disconnected(ConnectionID(rawValue: 1), reason: 0x16)])
        #expect(later?.code == .notConnected)
    }

    @Test func aLostLinkFailsPendingOperationsAtOnce() throws {
        let bench = ScriptedBench(["0a1200": []])
        let codes = try bench.connected { central, connection in
            async let read = failure { try await central.read(AttributeID(rawValue: 0x12), on: connection) }
            async let write = failure {
                try await central.write([1], to: AttributeID(rawValue: 0x10), kind: .withResponse, on: connection)
            }
            try await bench.sleep(.milliseconds(1))
            bench.transport.deliver("04050400010008")
            return await [read?.code, write?.code]
        }
        #expect(codes == [.disconnected(reason: 8), .disconnected(reason: 8)])
        #expect(bench.executor.now < .zero.advanced(by: .milliseconds(2)))
    }

    // MARK: GATT

    @Test func operationsRunOneAfterAnotherInTheOrderOfTheCalls() throws {
        let bench = ScriptedBench(["0a1200": ["0b01"], "121000aa": ["13"], "0a1300": ["010a130002"]])
        let results = try bench.connected { central, connection in
            async let first = central.read(AttributeID(rawValue: 0x12), on: connection)
            async let write: Void = central.write(
                [0xAA], to: AttributeID(rawValue: 0x10), kind: .withResponse, on: connection)
            async let command: Void = central.write(
                [0xBB], to: AttributeID(rawValue: 0x10), kind: .withoutResponse, on: connection)
            async let last = failure { try await central.read(AttributeID(rawValue: 0x13), on: connection) }
            try await write
            try await command
            return (try await first, await last?.code)
        }
        #expect(results.0 == [1])
        #expect(results.1 == .attError(2))
        let sent = bench.transport.state.withLock { $0.attributePDUs }
        #expect(Set(sent) == ["0a1200", "121000aa", "521000bb", "0a1300"])
    }

    @Test func aMissingResponseTimesOutAndClosesTheBearer() throws {
        let bench = ScriptedBench(["0a1200": []])
        let codes = try bench.connected { central, connection in
            let first = await failure { try await central.read(AttributeID(rawValue: 0x12), on: connection) }
            let second = await failure {
                try await central.write([1], to: AttributeID(rawValue: 0x10), kind: .withoutResponse, on: connection)
            }
            return [first?.code, second?.code]
        }
        #expect(codes == [.timedOut, .invalidState])
        #expect(bench.executor.now == .zero.advanced(by: .seconds(30)))
    }

    @Test func anUnexpectedResponseIsAProtocolViolation() throws {
        let bench = ScriptedBench(["0a1200": ["13"]])
        let error = try bench.connected { central, connection in
            await failure { try await central.read(AttributeID(rawValue: 0x12), on: connection) }
        }
        #expect(error?.code == .protocolViolation)
        #expect(
            error?.description == "0x0A ATT Read Request: expected its response, got 0x13 ATT Write Response")
    }

    @Test func subscribingWritesTheConfigurationAndNotificationsArrive() throws {
        let bench = ScriptedBench([
            "100100ffff0028": ["11060e0014000f18"], "101500ffff0028": ["011015000a"],
            "080f0014000328": ["09071100321200192a"], "08130014000328": ["010813000a"],
            "0413001400": ["05011300022914000129"], "1213000100": ["13"], "1213000200": ["13", "1d120005"], "1e": [],
        ])
        let missing = try bench.connected { central, connection in
            let output = AttributeID(rawValue: 0x12)
            try await central.setSubscription(.notifications, of: output, on: connection)
            bench.transport.deliverATT("1b12000102")
            try await central.setSubscription(.indications, of: output, on: connection)
            try await bench.sleep(.milliseconds(1))
            return await failure {
                try await central.setSubscription(.notifications, of: AttributeID(rawValue: 0x99), on: connection)
            }
        }
        #expect(missing?.code == .invalidState)
        let id = ConnectionID(rawValue: 1)
        #expect(
            bench.events.all == [
                .notification(id, AttributeID(rawValue: 0x12), value: [1, 2], isIndication: false),
                .notification(id, AttributeID(rawValue: 0x12), value: [5], isIndication: true),
            ])
        #expect(bench.transport.state.withLock { $0.attributePDUs.contains("1e") })
    }

    @Test func theMTUIsReportedAndLimitsWriteCommands() throws {
        let bench = ScriptedBench(["026400": ["03ff00"]])
        let outcome = try bench.connected { central, connection in
            let mtu = try await central.exchangeMTU(100, on: connection)
            let input = AttributeID(rawValue: 0x10)
            try await central.write([UInt8](repeating: 0, count: 97), to: input, kind: .withoutResponse, on: connection)
            let error = await failure {
                try await central.write(
                    [UInt8](repeating: 0, count: 98), to: input, kind: .withoutResponse, on: connection)
            }
            return (mtu, error?.code)
        }
        #expect(outcome.0 == 100 && outcome.1 == .invalidState)
        #expect(bench.events.all == [.mtuChanged(ConnectionID(rawValue: 1), 100)])
    }

    @Test func writeCommandsWaitOnlyWhileTheQueueIsFull() throws {
        let bench = ScriptedBench { $0.keepsBuffers = true }
        let outcome = try bench.connected { central, connection in
            let input = AttributeID(rawValue: 0x10)
            // Four buffers of the controller, twelve in the queue.
            for _ in 0..<16 { try await central.write([1], to: input, kind: .withoutResponse, on: connection) }
            async let more = failure { try await central.write([2], to: input, kind: .withoutResponse, on: connection) }
            try await bench.sleep(.milliseconds(1))
            let before = bench.transport.state.withLock { $0.attributePDUs.count }
            bench.transport.state.withLock { $0.keepsBuffers = false }
            bench.transport.deliver("0413050101000400")
            let error = await more
            try await bench.sleep(.milliseconds(1))
            return (before, error, bench.transport.state.withLock { $0.attributePDUs.count })
        }
        #expect(outcome.0 == 4 && outcome.1 == nil && outcome.2 == 17)
    }

    @Test func rawPDUsBypassTheGATTClient() throws {
        let bench = ScriptedBench(["0a03": [], "00": ["0100000006"]])
        let seen = Mutex<[ArraySlice<UInt8>]>([])
        try bench.connected { central, connection in
            try await central.setRawATTHandler({ pdu in seen.withLock { $0.append(pdu) } }, on: connection)
            try await central.sendRawATT([0x0A, 3], on: connection)
            try await central.sendRawATT([0], on: connection)
            try await bench.sleep(.milliseconds(1))
        }
        #expect(seen.withLock { $0 } == [[1, 0, 0, 0, 6]])
    }
}
