import BLECentral
import BLECore

extension Conformance {
    static let attributeCases = [
        Case("the strength of a connection is read", needs: [.connectionRSSI], sharesLink: true) { suite in
            try await suite.connected { link in
                let (central, connection) = (suite.central, link.connection)
                // Two at once.
                let reads = (0..<2).map { _ in
                    Task(executorPreference: suite.executor) { try await central.readRSSI(on: connection) }
                }
                for read in reads {
                    let rssi = try await read.value
                    try suite.expect(rssi.map { (-127...20).contains($0) } ?? true, "-127...20 dBm, got \(rssi ?? 0)")
                }
            }
            let ended = ConnectionID(rawValue: .max)
            let error = try await suite.failure("reading the RSSI of no connection") {
                try await suite.central.readRSSI(on: ended)
            }
            try suite.expect(error.code == .notConnected, "notConnected, got \(error.code): \(error)")
        },
        Case("the parameters of a connection are read", needs: [.linkParameters], sharesLink: true) { suite in
            try await suite.connected { link in
                let parameters = try await suite.central.linkParameters(of: link.connection)
                let time = parameters.supervisionTimeout
                try suite.expect(
                    (.microseconds(7500)...(.seconds(4))).contains(parameters.interval) && parameters.latency < 500
                        && time > parameters.interval * (1 + parameters.latency) * 2 && time <= .seconds(32),
                    "an interval of 7.5 ms to 4 s and a longer time-out, got \(parameters)")
            }
            let error = try await suite.failure("reading the parameters of no connection") {
                try await suite.central.linkParameters(of: ConnectionID(rawValue: .max))
            }
            try suite.expect(error.code == .notConnected, "notConnected, got \(error.code): \(error)")
        },
        Case("values of 0, 1, 244 and 512 bytes are written and read", sharesLink: true) { suite in
            try await suite.connected { link in
                let attribute = try link.attribute(ConformancePeer.value)
                for count in [0, 1, 244, 512] {
                    let value = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
                    try await suite.central.write(value, to: attribute, kind: .withResponse, on: link.connection)
                    let read = try await suite.central.read(attribute, on: link.connection)
                    try suite.expect(read == value, "\(count) bytes as they were written, got \(read.count): \(read)")
                }
            }
        },
        Case("values of 1, 244 and 512 bytes are written reliably", needs: [.reliableWrites], sharesLink: true) {
            suite in
            try await suite.connected { link in
                let attribute = try link.attribute(ConformancePeer.value)
                for count in [1, 244, 512] {
                    let value = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 5 &+ 1) }
                    try await suite.central.write(value, to: attribute, kind: .reliable, on: link.connection)
                    let read = try await suite.central.read(attribute, on: link.connection)
                    try suite.expect(read == value, "\(count) bytes as they were written, got \(read.count): \(read)")
                }
            }
        },
        Case("a command is executed before the operations that follow it", sharesLink: true) { suite in
            try await suite.connected { link in
                let attribute = try link.attribute(ConformancePeer.value)
                for value in [UInt8(1), 2, 3] {
                    try await suite.central.write([value], to: attribute, kind: .withoutResponse, on: link.connection)
                    let read = try await suite.central.read(attribute, on: link.connection)
                    try suite.expect(read == [value], "the value \(value), got \(read)")
                }
            }
        },
        Case("operations are executed in the order of their calls", sharesLink: true) { suite in
            try await suite.connected { link in
                let attribute = try link.attribute(ConformancePeer.value)
                let (central, connection) = (suite.central, link.connection)
                func start<Value: Sendable>(
                    _ operation: @escaping @Sendable () async throws -> Value
                ) -> Task<Value, any Error> {
                    Task(executorPreference: suite.executor) { try await operation() }
                }
                let first = start { try await central.write([1], to: attribute, kind: .withResponse, on: connection) }
                let second = start { try await central.read(attribute, on: connection) }
                let third = start { try await central.write([2], to: attribute, kind: .withResponse, on: connection) }
                let fourth = start { try await central.read(attribute, on: connection) }
                _ = try await (first.value, third.value)
                let reads = (try await second.value, try await fourth.value)
                try suite.expect(
                    reads.0 == [1] && reads.1 == [2], "the values 1 and 2, got \(reads.0) and \(reads.1)")
            }
        },
        Case("an operation whose task is cancelled ends, and those that follow are executed", sharesLink: true) {
            suite in
            try await suite.connected { link in
                let attribute = try link.attribute(ConformancePeer.value)
                let (central, connection) = (suite.central, link.connection)
                try await central.write([1], to: attribute, kind: .withResponse, on: connection)
                for _ in 0..<3 {
                    // The second one waits for the first one.
                    let reads = (0..<2).map { _ in
                        Task(executorPreference: suite.executor) { try await central.read(attribute, on: connection) }
                    }
                    for read in reads { read.cancel() }
                    for read in reads {
                        do {
                            // It may have been executed before.
                            let value = try await read.value
                            try suite.expect(value == [1], "the value 1, got \(value)")
                        } catch let error as CentralError {
                            try suite.expect(error.code == .timedOut, "timedOut, got \(error.code): \(error)")
                        }
                    }
                }
                try await central.write([2], to: attribute, kind: .withResponse, on: connection)
                let value = try await central.read(attribute, on: connection)
                try suite.expect(value == [2], "the value 2, got \(value)")
            }
        },
        Case("an ATT error of the server is reported with its code", sharesLink: true) { suite in
            try await suite.connected { link in
                for code in [UInt8(0x80), 0x9F] {
                    let error = try await suite.failure("a write") {
                        try await suite.write(ConformancePeer.Trigger.refuse(code), link)
                    }
                    try suite.expect(error.code == .attError(code), "ATT error \(code), got \(error.code): \(error)")
                }
                let error = try await suite.failure("a long write") { try await suite.write([1, 2, 3], link) }
                try suite.expect(error.code == .attError(0x0D), "ATT error 0x0D, got \(error.code): \(error)")
            }
        },
        Case("a hundred characteristics are found and read", sharesLink: true) { suite in
            try await suite.connected { link in
                for number in 0..<ConformancePeer.manyCount {
                    let attribute = try link.attribute(BLEUUID(ConformancePeer.firstOfMany + UInt16(number)))
                    let value = try await suite.central.read(attribute, on: link.connection)
                    try suite.expect(value == [number], "the value \(number), got \(value)")
                }
            }
        },
    ]
}
