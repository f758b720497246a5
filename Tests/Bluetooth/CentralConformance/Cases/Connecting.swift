import BLECentral
import BLECore
import BenchExecutor
import MonotonicTime

extension Conformance {
    static let connectingCases = [
        Case("a connection is discovered, with the services in the server's order") { suite in
            try await suite.connected { link in
                // A stack may hide the services that it uses itself.
                let own = link.services.filter { $0.uuid.uint16.map { $0 >= 0xFF00 } ?? false }
                try suite.expect(
                    own.map(\.uuid) == [ConformancePeer.service, ConformancePeer.many],
                    "the services FF00 and FF10, got \(link.services.map(\.uuid))")
                let main = own[0].characteristics
                try suite.expect(
                    main.map(\.uuid) == (1...6).map { BLEUUID(0xFF00 + $0) }, "FF01...FF06, got \(main.map(\.uuid))")
                let properties: [CharacteristicProperties] = [
                    [.read, .write, .writeWithoutResponse], [.write, .writeWithoutResponse], [.read, .notify],
                    .indicate, .read, .notify,
                ]
                try suite.expect(
                    main.map(\.properties) == properties, "their properties, got \(main.map(\.properties))")
                if suite.central.abilities.contains(.attributeHandles) {
                    let handles = main.compactMap(\.handle)
                    try suite.expect(
                        handles.count == main.count && handles == handles.sorted(), "rising handles, got \(handles)")
                }
            }
        },
        Case("a connection to nothing times out, and the next one succeeds") { suite in
            let error = try await suite.failure("the connection to nothing") {
                try await suite.central.connect(to: PeerID(ConformancePeer.absentAddress), within: .seconds(3))
            }
            try suite.expect(error.code == .timedOut, "timedOut, got \(error.code): \(error)")
            try await suite.connected { _ in }
        },
        Case("an attempt to connect ends when its task is cancelled, and the next one succeeds") { suite in
            // A stack may look for a peer that it does not know, and wait for one that it knows: both are cancelled.
            let link = try await suite.connect()
            try await suite.write(ConformancePeer.Trigger.vanish, link, kind: .withoutResponse)
            try await suite.expectDisconnection(of: link)
            for address in [ConformancePeer.addresses[0], ConformancePeer.absentAddress] {
                let attempt = Task(executorPreference: suite.executor) {
                    try await suite.central.connect(to: PeerID(address), within: .seconds(3600))
                }
                try await suite.sleep(.seconds(1))
                let begin = suite.executor.now
                attempt.cancel()
                let error = try await suite.failure("the attempt") { try await attempt.value }
                try suite.expect(error.code == .timedOut, "timedOut, got \(error.code): \(error)")
                try suite.expect(
                    suite.executor.now < begin.advanced(by: .seconds(1800)),
                    "the end of the attempt when it was cancelled, not when its time had passed")
            }
            try await suite.sleep(ConformancePeer.absence)
            try await suite.connected { _ in }
        },
        Case("a connection that was ended is gone") { suite in
            let link = try await suite.connect()
            try await suite.central.disconnect(link.connection)
            try await suite.expectDisconnection(of: link)
            try suite.expect(reason: 0x16, of: link)
            let error = try await suite.failure("a read") {
                try await suite.central.read(link.attribute(ConformancePeer.value), on: link.connection)
            }
            try suite.expect(error.code == .notConnected, "notConnected, got \(error.code)")
            let again = try await suite.failure("a second disconnection") {
                try await suite.central.disconnect(link.connection)
            }
            try suite.expect(again.code == .notConnected, "notConnected, got \(again.code)")
        },
        Case("a reconnection is a new connection, without events of the old one") { suite in
            let first = try await suite.connect()
            try await suite.central.disconnect(first.connection)
            try await suite.connected { second in
                try suite.expect(second.connection != first.connection, "another identifier")
                let output = try second.attribute(ConformancePeer.output)
                try await suite.central.setSubscription(.notifications, of: output, on: second.connection)
                try await suite.write(ConformancePeer.Trigger.notify(1), second)
                try await suite.expect("its notification") { event in
                    if case .notification(second.connection, output, [0], false) = event { true } else { false }
                }
            }
            let events = suite.recorder.all
            let end = events.firstIndex { event in
                if case .disconnected(first.connection, _, _) = event { true } else { false }
            }
            try suite.expect(end != nil, "the first connection's disconnection")
            let late = events.dropFirst((end ?? 0) + 1).filter { $0.connection == first.connection }
            try suite.expect(late.isEmpty, "nothing after the disconnection, got \(late)")
        },
        Case("a peer that ends the connection is reported") { suite in
            let link = try await suite.connect()
            try? await suite.write(ConformancePeer.Trigger.disconnect, link)
            try await suite.expectDisconnection(of: link)
            try suite.expect(reason: 0x13, of: link)
        },
        Case("a peer that vanishes is reported, and found again") { suite in
            let link = try await suite.connect()
            try await suite.write(ConformancePeer.Trigger.vanish, link, kind: .withoutResponse)
            try await suite.expectDisconnection(of: link)
            try suite.expect(reason: 0x08, of: link)
            try await suite.sleep(ConformancePeer.absence)
            try await suite.connected { _ in }
        },
        Case("a peer that vanishes while it is connected to is an error, and found again") { suite in
            try await suite.connected { try await suite.write(ConformancePeer.Trigger.vanishNext, $0) }
            do {
                // The controller may report the connection before it is found to have failed.
                let peer = PeerID(ConformancePeer.addresses[0])
                let connection = try await suite.central.connect(to: peer, within: suite.patience)
                suite.central.events.accept(connection)
                try await suite.expect("the disconnection") { event in
                    if case .disconnected(connection, _, _) = event { true } else { false }
                }
            } catch let error as CentralError {
                switch error.code {
                case .disconnected, .timedOut: break
                default:
                    throw ConformanceFailure("expected disconnected or timedOut, got \(error.code): \(error)")
                }
            }
            try await suite.sleep(ConformancePeer.absence)
            try await suite.connected { _ in }
        },
        Case("a peer that answers nothing ends the operation with an error, and is found again") { suite in
            let link = try await suite.connect()
            try await suite.write(ConformancePeer.Trigger.hang, link, kind: .withoutResponse)
            let error = try await suite.failure("the read") {
                try await suite.central.read(link.attribute(ConformancePeer.value), on: link.connection)
            }
            switch error.code {
            case .timedOut, .disconnected: break
            default: throw ConformanceFailure("expected timedOut or disconnected, got \(error.code): \(error)")
            }
            try await suite.expectDisconnection(of: link)
            try await suite.sleep(ConformancePeer.absence)
            try await suite.connected { _ in }
        },
        Case("disconnecting during an operation ends it with an error, or after it") { suite in
            for operation in PendingOperation.allCases {
                let link = try await suite.connect()
                async let outcome: Void = operation.run(suite, link)
                try await suite.central.disconnect(link.connection)
                do {
                    try await outcome
                } catch let error as CentralError {
                    switch error.code {
                    case .disconnected, .notConnected: break
                    default:
                        throw ConformanceFailure(
                            "\(operation): expected disconnected or notConnected, got \(error.code): \(error)")
                    }
                }
                try await suite.expectDisconnection(of: link)
            }
        },
    ]
}

/// What is running while the connection is ended.
private enum PendingOperation: CaseIterable {
    case discovery, read, write, command, subscription

    func run(_ suite: Conformance, _ link: Conformance.Link) async throws {
        let (central, connection) = (suite.central, link.connection)
        let value = try link.attribute(ConformancePeer.value)
        switch self {
        case .discovery: _ = try await central.discoverServices(on: connection)
        case .read: _ = try await central.read(value, on: connection)
        case .write: try await central.write([1], to: value, kind: .withResponse, on: connection)
        case .command: try await central.write([1], to: value, kind: .withoutResponse, on: connection)
        case .subscription:
            try await central.setSubscription(
                .notifications, of: link.attribute(ConformancePeer.output), on: connection)
        }
    }
}
