public import BLECentral
public import Console
internal import MonotonicTime

/// A serial line's text.
extension BLESerial {
    /// Sends a line in UTF-8.
    ///
    /// - Throws: as ``send(_:)``.
    public func send(line text: String, ending: LineEnding) async throws(CentralError) {
        try await send(Array(text.utf8) + ending.bytes)
    }

    /// The lines received, without their ends: CR, LF, or both. Invalid UTF-8 is replaced; characters that were cut between two
    /// notifications are whole. A line of more bytes than `maximumLength` comes in pieces, the last one also without an end.
    ///
    /// One reader at a time, as ``received``.
    public nonisolated func lines(maximumLength: Int = 65_536) -> AsyncThrowingStream<String, any Error> {
        let lines = BLESerialLines(self, maximumLength)
        return AsyncThrowingStream { try await lines.next() }
    }
}

/// The lines of a serial line, one after the other.
private actor BLESerialLines {
    private let serial: BLESerial
    private var splitter: LineSplitter
    private var ready: [RawLine] = []
    private var failure: (any Error)?

    nonisolated var unownedExecutor: UnownedSerialExecutor { serial.unownedExecutor }

    init(_ serial: BLESerial, _ maximumLength: Int) {
        self.serial = serial
        splitter = LineSplitter(maximumLength: maximumLength)
    }

    func next() async throws -> String {
        while ready.isEmpty {
            if let failure { throw failure }
            do {
                ready = splitter.append(try await serial.read(), at: .zero).reversed()
            } catch {
                failure = error
                ready = splitter.flush().map { [$0] } ?? []
            }
        }
        return String(decoding: ready.removeLast().bytes, as: UTF8.self)
    }
}
