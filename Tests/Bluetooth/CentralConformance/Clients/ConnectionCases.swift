import BLECentral
import BLECore
import BenchExecutor
import MonotonicTime

extension ClientConformance {
    static let limitCases = [
        Case("connections beyond the limit are refused, and those to the same peer") { suite in
            await suite.central.setConnectionLimit(1)
            try await suite.peripheral(0).connect(within: suite.patience)
            for index in 0...1 {
                let error = try await suite.failure("another connection") {
                    try await suite.peripheral(index).connect(within: suite.patience)
                }
                try suite.expect(error.code == .invalidState, "invalidState, got \(error.code): \(error)")
            }
            let connected = await suite.central.connectedPeripherals.map(\.id)
            await suite.central.setConnectionLimit(nil)
            try suite.expect(connected == [suite.peripheral(0).id], "the first alone to be connected, got \(connected)")
        }
    ]

    static let connectionCases = [
        Case("two connections at a time have values, reads and ends of their own") { suite in
            let outputs = try await [0, 1].asyncMap { index in
                try await suite.connect(index)
                return try await suite.characteristic(ConformancePeer.output, of: suite.peripheral(index)).values()
            }
            for index in 0...1 {
                try await suite.characteristic(ConformancePeer.value, of: suite.peripheral(index))
                    .write([UInt8(40 + index)])
                try await suite.trigger(ConformancePeer.Trigger.notify(UInt8(1 + index)), suite.peripheral(index))
            }
            for index in 0...1 {
                let value = try await suite.characteristic(ConformancePeer.value, of: suite.peripheral(index)).read()
                try suite.expect(value == [UInt8(40 + index)], "the peer's own value, got \(value)")
                try await suite.characteristic(ConformancePeer.value, of: suite.peripheral(index)).write([7])
                try await suite.expect((0...UInt8(index)).map { [$0] }, of: outputs[index])
            }
            try await suite.peripheral(0).disconnect()
            let other = await suite.peripheral(1).connectionState
            try suite.expect(other == .connected, "the other connection to stay, it is \(other)")
        },
        Case("a read of a characteristic that notifies comes back, and is no notification") { suite in
            try await suite.connect()
            let output = try await suite.characteristic(ConformancePeer.output, of: suite.peripheral())
            let values = try await output.values()
            for _ in 0..<3 {
                let value = try await output.read(within: suite.patience)
                try suite.expect(value == [0], "[0], got \(value)")
            }
            try await suite.trigger(ConformancePeer.Trigger.notify(2), suite.peripheral())
            try await suite.expect([[0], [1]], of: values)
        },
    ]

    /// Waits for the next values of a subscription.
    fileprivate func expect(_ expected: [[UInt8]], of values: AsyncThrowingStream<[UInt8], any Error>) async throws {
        let executor = executor
        let waiting = Task(executorPreference: executor) {
            var got: [[UInt8]] = []
            for try await value in values {
                got.append(value)
                if got.count == expected.count { break }
            }
            return got
        }
        let alarm = executor.schedule(at: executor.now.advanced(by: patience)) { waiting.cancel() }
        defer { executor.cancel(alarm) }
        let got = try await waiting.value
        try expect(got == expected, "the values \(expected), got \(got)")
    }
}

extension Sequence {
    fileprivate func asyncMap<Result>(_ body: (Element) async throws -> Result) async throws -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await body(element)) }
        return results
    }
}
