import ESPChips
import ESPFlasher
import SerialPort

/// Asks the chips on ports for their names.
enum PortProbe {
    /// The records that satisfy `isWanted` with their boards, and the others unchanged. All are asked at the same time.
    static func probe(
        _ records: [PortRecord], where isWanted: @Sendable (PortRecord) -> Bool
    ) async -> [PortRecord] {
        await withTaskGroup(of: (Int, PortRecord).self) { group in
            for (index, record) in records.enumerated() where isWanted(record) {
                group.addTask { (index, await probe(record)) }
            }
            var result = records
            for await (index, record) in group { result[index] = record }
            return result
        }
    }

    private static func probe(_ record: PortRecord) async -> PortRecord {
        var record = record
        do {
            let port = try await Ports.open(PortAddress(kind: record.kind, text: record.port))
            do {
                record.board = try await board(on: port)
            } catch {
                record.error = text(error, record.port)
            }
            await port.close()
        } catch {
            record.error = text(error, record.port)
        }
        return record
    }

    private static func board(on port: any SerialPort) async throws -> LoaderEvent.Board {
        let flasher = Flasher(port: port, clock: ContinuousClock())
        try await flasher.connect()
        let board = try await flasher.identify()
        try await flasher.reset(.hard, of: board)
        return LoaderEvent.Board(board)
    }

    /// The error without the port's name, which stands before it.
    private static func text(_ error: any Error, _ port: String) -> String {
        let text = "\(error)"
        return text.hasPrefix("\(port): ") ? String(text.dropFirst(port.count + 2)) : text
    }
}
