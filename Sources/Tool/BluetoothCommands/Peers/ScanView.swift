internal import BenchExecutor
import BenchModel
internal import BenchReports
import BLEAssignedNumbers
package import BLECentral
internal import BLECore
internal import BLEDescriptions
import BoardConsole
internal import ByteCodec
import CommandSupport
import MonotonicTime

/// Prints the advertisements of a scan.
actor ScanView {
    /// The minimum interval between two drawings of a live table.
    private static let interval = Duration.milliseconds(200)

    nonisolated let executor: BenchExecutor
    private var list: ScanList
    private var table: LiveTable?
    private var lastDrawing: MonotonicInstant?
    private var isDrawingDue = false
    private let isJSON: Bool
    private let environment: Environment
    private let output: Output
    private let screen: MonitorScreen

    /// The bench's executor.
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// A view; a table if `isLive`, otherwise lines.
    init(
        name: String?, isJSON: Bool, isLive: Bool, _ environment: Environment, _ output: Output,
        _ executor: BenchExecutor
    ) {
        list = ScanList(name: name)
        table = isLive ? LiveTable(environment.outputSize()) : nil
        self.isJSON = isJSON
        self.environment = environment
        self.output = output
        self.executor = executor
        screen = MonitorScreen(output, isThreaded: true)
    }

    /// Shows the advertisements until they end or the output has no reader any more; returns the failure that ended
    /// them.
    func show(_ advertisements: AsyncThrowingStream<Advertisement, any Error>) async -> (any Error)? {
        if table != nil {
            WindowChanges.watch { [self] in
                executor.post { self.assumeIsolated { $0.drawSoon() } }
            }
        }
        var failure: (any Error)?
        do {
            for try await advertisement in advertisements {
                receive(advertisement)
                await screen.waitForRoom()
                if output.isDataLost { break }
            }
        } catch {
            failure = error
        }
        WindowChanges.end()
        if table != nil { draw(isLast: true) }
        await screen.flush()
        if list.records.isEmpty { output.note("no peer was heard") }
        return failure
    }

    private func receive(_ advertisement: Advertisement) {
        guard let record = list.receive(advertisement) else { return }
        if table != nil {
            drawSoon()
        } else if isJSON {
            if let line = try? JSONLine.text(record) { write(line + "\n") }
        } else {
            write(record.line + "\n")
        }
    }

    // MARK: The live table

    /// Draws now, or, if the last drawing was too recent, after the interval.
    private func drawSoon() {
        guard !isDrawingDue else { return }
        let now = executor.now
        let due = lastDrawing.map { max(now, $0.advanced(by: Self.interval)) } ?? now
        guard due > now || !screen.isIdle else { return draw(isLast: false) }
        isDrawingDue = true
        // A stopped terminal shows the latest state when it continues.
        executor.schedule(at: max(due, now.advanced(by: Self.interval / 4))) { [weak self] in
            self?.assumeIsolated { view in
                view.isDrawingDue = false
                view.drawSoon()
            }
        }
    }

    private func draw(isLast: Bool) {
        lastDrawing = executor.now
        if let frame = table?.frame(list.records, on: environment.outputSize(), isLast: isLast) { write(frame) }
        if isLast { table = nil }
    }

    private func write(_ text: String) { screen.write(Array(text.utf8)) }
}

/// The peers heard by a scan, in the order of their first advertisement. A pure state machine.
package struct ScanList: Sendable {
    /// The maximum number of peers: private addresses change all the time.
    package static let limit = 10_000

    /// The latest advertisement of each peer.
    package private(set) var records: [ScanRecord] = []
    private var places: [PeerID: Int] = [:]
    private let nameFilter: String?

    /// A list of the peers whose name contains `name`, ignoring case; `nil`: all peers.
    package init(name: String? = nil) {
        nameFilter = name?.lowercased()
    }

    /// Handles an advertisement.
    ///
    /// - Returns: the peer's record; `nil` if the filter drops it or the list is full.
    package mutating func receive(_ advertisement: Advertisement) -> ScanRecord? {
        if let nameFilter {
            guard let name = advertisement.data.localName, name.lowercased().contains(nameFilter) else { return nil }
        }
        let record = ScanRecord(advertisement)
        if let place = places[advertisement.peer] {
            records[place] = record
            return record
        }
        guard records.count < Self.limit else { return nil }
        places[advertisement.peer] = records.count
        records.append(record)
        return record
    }
}

/// An advertising peer, as `espbench scan --json` prints it.
package struct ScanRecord: Codable, Hashable, Sendable {
    /// A service in the advertisement.
    package struct Service: Codable, Hashable, Sendable {
        package var uuid: String
        package var name: String?
    }

    /// Manufacturer specific data.
    struct Manufacturer: Codable, Hashable, Sendable {
        var identifier: UInt16
        var name: String?
        /// Hexadecimal digits.
        var data: String
    }

    /// The peer's identifier in the stack: its address, if the stack shows addresses.
    package var peer: String
    /// `public` or `random`.
    var addressType: String?
    /// The identity of a bonded peer that advertises with a private address.
    var identity: String?
    package var name: String?
    /// The kind of peripheral that advertises this name, by the name of its description: `sensortag`.
    package var kind: String?
    /// In dBm.
    package var rssi: Int
    package var isConnectable: Bool
    package var services: [Service]
    var manufacturer: Manufacturer?
    var appearance: String?
    /// In dBm.
    var txPower: Int?
    /// All AD structures, in hexadecimal digits.
    package var data: String

    /// The record of `advertisement`.
    package init(_ advertisement: Advertisement) {
        peer = "\(advertisement.peer)"
        addressType = advertisement.address.map { "\($0.kind)" }
        if let identity = advertisement.identity, identity != advertisement.address { self.identity = "\(identity)" }
        name = advertisement.data.localName
        kind = PeripheralDescription.catalogued(advertising: name)?.name
        rssi = advertisement.rssi
        isConnectable = advertisement.isConnectable
        // A scan response may repeat the advertisement.
        var uuids: [BLEUUID] = []
        for uuid in advertisement.data.serviceUUIDs where !uuids.contains(uuid) { uuids.append(uuid) }
        services = uuids.map { Service(uuid: "\($0)", name: AssignedNumbers.service($0)) }
        data = Hexadecimal.string(advertisement.data.bytes)
        let structures = advertisement.data.structures
        // Core Supplement v11, Part A 1.4, 1.5 and 1.12.
        if let bytes = structures.first(where: { $0.type == .manufacturerSpecificData })?.data, bytes.count >= 2 {
            let company = UInt16(bytes[0]) | UInt16(bytes[1]) << 8
            manufacturer = Manufacturer(
                identifier: company, name: AssignedNumbers.company(company),
                data: Hexadecimal.string(bytes.dropFirst(2)))
        }
        if let bytes = structures.first(where: { $0.type.rawValue == 0x19 })?.data, bytes.count == 2 {
            appearance = AssignedNumbers.appearance(UInt16(bytes[0]) | UInt16(bytes[1]) << 8)
        }
        if let bytes = structures.first(where: { $0.type == .txPowerLevel })?.data, bytes.count == 1 {
            txPower = Int(Int8(bitPattern: bytes[0]))
        }
    }

    /// The cells of a table: peer, strength, name, and what else it advertises.
    package var cells: [String] {
        var details = services.map { service in service.name.map { "\(service.uuid) \($0)" } ?? service.uuid }
        if let manufacturer {
            details.append(manufacturer.name ?? "company " + HandleText.text(manufacturer.identifier))
        }
        if let appearance { details.append(appearance) }
        if let title = kind.flatMap({ PeripheralDescription.catalogued($0) })?.title { details.append(title) }
        if !isConnectable { details.append("not connectable") }
        if let identity { details.append("is \(identity)") }
        return [
            peer, "\(rssi) dBm", name?.printable ?? "", details.map(\.printable).joined(separator: ", "),
        ]
    }

    /// A line of it, for output that is not a terminal.
    package var line: String {
        let rssi = cells[1]
        let padding = String(repeating: " ", count: max(0, 8 - rssi.count))
        let rest = cells[2...].filter { !$0.isEmpty }.joined(separator: "  ")
        return "\(cells[0])  \(padding)\(rssi)  \(rest.isEmpty ? "(no name)" : rest)"
    }
}

/// A table at the end of a terminal's output, which is redrawn in place.
package struct LiveTable: Sendable {
    private static let headings = ["PEER", "RSSI", "NAME", "ADVERTISES"]

    private var size: TerminalSize
    private var drawnLines = 0

    /// A table on a terminal of the given size.
    package init(_ size: TerminalSize) {
        self.size = size
    }

    /// The text that draws the table over the previous one; the terminal's size may have changed. The last line counts
    /// the rows that do not fit on the screen; with `isLast` all rows are drawn.
    package mutating func frame(_ records: [ScanRecord], on newSize: TerminalSize, isLast: Bool = false) -> String {
        var lines = Self.lines(records)
        // The cursor is below the table.
        let room = max(4, newSize.height) - 1
        if !isLast, lines.count > room {
            let hidden = lines.count - (room - 1)
            lines = lines.prefix(room - 1) + ["… and \(hidden) more"]
        }
        var start = "\r"
        if drawnLines > 0, newSize != size {
            // After a change of size, terminals wrap, cut or scroll the old table, each in its own way.
            start = "\u{1B}[H\u{1B}[2J"
        } else if drawnLines > 0 {
            start += "\u{1B}[\(drawnLines)A"
        }
        size = newSize
        drawnLines = isLast ? 0 : lines.count
        let width = max(20, size.width)
        return start + lines.map { "\(Self.fitted($0, width))\u{1B}[K\n" }.joined() + "\u{1B}[J"
    }

    /// The lines of a table, with headings.
    package static func lines(_ records: [ScanRecord]) -> [String] {
        let rows = [headings] + records.map(\.cells)
        let widths = headings.indices.map { column in rows.map { TextWidth.columns($0[column]) }.max() ?? 0 }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                let padding = String(repeating: " ", count: widths[column] - TextWidth.columns(cell))
                // Numbers are right-aligned.
                line += (column == 1 ? padding + cell : cell + padding) + "  "
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// The beginning of `line` that fits in `width` columns.
    private static func fitted(_ line: String, _ width: Int) -> String {
        guard TextWidth.columns(line) > width else { return line }
        var (text, columns) = ("", 0)
        for character in line {
            columns += TextWidth.columns(character)
            guard columns < width else { break }
            text.append(character)
        }
        return text + "…"
    }
}
