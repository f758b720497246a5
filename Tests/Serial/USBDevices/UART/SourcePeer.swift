package import BenchExecutor
internal import MonotonicTime

/// Prints numbered lines at the pace of a line of 3 Mbaud, from the first byte on that it receives.
package actor SourcePeer: UARTPeer {
    /// 3 Mbaud, 8N1.
    package static let bytesPerSecond = 300_000
    /// Every byte has its place: line `number`.
    package static func line(_ number: Int) -> String {
        "I (\(number)) source: line \(number) of a board that prints\r\n"
    }

    private nonisolated let executor: BenchExecutor
    /// The executor of the bench.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private let count: Int
    private let start: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private var begun: MonotonicInstant?
    private var sent = 0
    private var number = 0
    private var waiting: [UInt8] = []

    /// Prints `count` bytes in all.
    package init(count: Int, on executor: BenchExecutor) {
        self.count = count
        self.executor = executor
        (start, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package func perform(_ effect: ChipEffect) async throws {
        if case .transmit = effect { continuation.yield() }
    }

    package func read(at settings: @Sendable () async -> UARTSettings) async throws -> [UInt8] {
        if begun == nil {
            for await _ in start { break }
            try Task.checkCancellation()
            begun = executor.now
        }
        let clock = BenchClock(executor)
        while true {
            guard let begun, sent < count else {
                try await clock.sleep(for: .seconds(3600))
                continue
            }
            let elapsed = begun.duration(to: executor.now).wholeNanoseconds
            let due = min(count, Int(elapsed / 1000) * Self.bytesPerSecond / 1_000_000)
            guard due > sent else {
                try await clock.sleep(for: .milliseconds(1))
                continue
            }
            while waiting.count < due - sent {
                waiting += Self.line(number).utf8
                number += 1
            }
            defer {
                waiting.removeFirst(due - sent)
                sent = due
            }
            return Array(waiting.prefix(due - sent))
        }
    }

    package func disconnected() async {}
}
