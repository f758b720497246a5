import BoardConsole
import CommandSupport
import Foundation
import SerialPort

/// The ports of this machine, and the boards on them.
struct PortListing: Sendable {
    /// True if each chip is identified, which resets it.
    let probes: Bool
    /// The ports, in the order of ``PortKinds``.
    private(set) var records: [PortRecord] = []

    /// A listing that has read nothing yet.
    init(probes: Bool) {
        self.probes = probes
    }

    /// Lists all ports again. Known ports are not probed again.
    ///
    /// - Returns: the ports that are new, and those that are gone.
    @discardableResult
    mutating func read() async throws -> (added: [PortRecord], removed: [PortRecord]) {
        let ports = try await Ports.kinds.ports()
        let boards = Set(PortCandidates.boards(among: PortCandidates.distinct(ports)).map(\.address))
        let current = PortCandidates.joined(ports).map { row in
            PortRecord(row.port, also: row.also, isCandidate: boards.contains(row.port.address))
        }
        let former = records
        let removed = former.filter { old in !current.contains { Self.isSame($0, old) } }
        var added = current.filter { new in !former.contains { Self.isSame($0, new) } }
        if probes { added = await PortProbe.probe(added, where: \.isCandidate) }
        records = current.map { record in
            if let new = added.first(where: { $0.port == record.port }) { return new }
            var record = record
            let old = former.first { Self.isSame($0, record) }
            (record.board, record.error) = (old?.board, old?.error)
            return record
        }
        return (added, removed)
    }

    /// Reads only the ports at `addresses`, even if their kinds do not list them.
    mutating func read(only addresses: [PortAddress]) async throws {
        let known = try await Ports.kinds.ports()
        let others = Dictionary(PortCandidates.joined(known).map { ($0.port.address, $0.also) }) { first, _ in first }
        let wanted = addresses.map { address in
            PortRecord(
                known.first { $0.address == address } ?? PortDescription(address), also: others[address] ?? nil,
                isCandidate: true)
        }
        records = probes ? await PortProbe.probe(wanted) { _ in true } : wanted
    }

    /// True if both are the same device at the same port; after an unplugging, another device may get the port.
    private static func isSame(_ first: PortRecord, _ second: PortRecord) -> Bool {
        first.port == second.port && first.usb == second.usb
    }
}

/// A listed port, as `espbench ports --json` prints it.
struct PortRecord: Codable, Hashable, Sendable {
    /// The USB device behind it.
    struct USB: Codable, Hashable, Sendable {
        /// Four hexadecimal digits.
        var vendor: String
        /// Four hexadecimal digits.
        var product: String
        var serialNumber: String?
        /// The bus and the ports from the root hub.
        var location: String
    }

    /// The address for `--port`.
    var port: String
    /// The `usb:` address of the same UART, if it has such an address in addition to ``port``.
    var also: String?
    /// The kind of port, e.g. `tty`.
    var kind: String
    var name: String?
    var driver: String?
    var usb: USB?
    /// The program that has it open, if known.
    var holder: String?
    /// True if a command without `--port` considers it.
    var isCandidate: Bool
    /// With `--probe`: the board, or why it was not identified.
    var board: LoaderEvent.Board?
    var error: String?

    /// The record of `port`, without its board; `also` is a second address of the port.
    init(_ port: PortDescription, also: PortAddress? = nil, isCandidate: Bool) {
        self.port = port.address.text
        self.also = also?.text
        kind = port.address.kind
        let text = PortCandidates.name(of: port)
        name = text.isEmpty ? nil : text
        driver = port.driver.isEmpty ? nil : port.driver
        holder = port.holder
        self.isCandidate = isCandidate
        if let device = port.usb {
            let ids = device.ids.split(separator: ":").map(String.init)
            usb = USB(
                vendor: ids[0], product: ids[1], serialNumber: device.serialNumber, location: device.location)
        }
    }
}

/// A table of ports for people.
enum PortTable {
    private static let headings = ["PORT", "ALSO", "DEVICE", "USB ID", "SERIAL", "PLACE", "USED BY"]

    /// The table with a line of headings; columns without content are omitted. Empty if there are no ports.
    static func text(_ records: [PortRecord], showsBoards: Bool) -> String {
        guard !records.isEmpty else { return "" }
        var rows = [headings + (showsBoards ? ["BOARD"] : [])]
        rows += records.map { cells($0) + (showsBoards ? [board($0)] : []) }
        let columns = rows[0].indices.filter { column in
            column == 0 || rows.dropFirst().contains { !$0[column].isEmpty }
        }
        let widths = columns.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            var line = ""
            for (column, width) in zip(columns, widths) {
                let cell = row[column]
                line += cell + String(repeating: " ", count: width - cell.count + 2)
            }
            return line.trimmingSuffix { $0 == " " } + "\n"
        }.joined()
    }

    /// One port as one line, for events.
    static func line(_ record: PortRecord) -> String {
        (cells(record) + [board(record)]).filter { !$0.isEmpty }.joined(separator: "  ")
    }

    private static func cells(_ record: PortRecord) -> [String] {
        let usb = record.usb
        return [
            record.port, record.also ?? "", record.name ?? "", usb.map { "\($0.vendor):\($0.product)" } ?? "",
            usb?.serialNumber ?? "",
            usb?.location ?? "", record.holder ?? "",
        ]
    }

    private static func board(_ record: PortRecord) -> String {
        guard let board = record.board else { return record.error.map { "no answer: \($0)" } ?? "" }
        let flash = board.flashSize.map { ", \($0 >> 20) MB of flash" } ?? ""
        return "\(board.isVirtual ? "virtual " : "")\(board.chip) \(board.mac)\(flash)"
    }
}

extension String {
    /// The text without its last characters that satisfy `isTrimmed`.
    fileprivate func trimmingSuffix(_ isTrimmed: (Character) -> Bool) -> String {
        guard let end = lastIndex(where: { !isTrimmed($0) }) else { return "" }
        return String(self[...end])
    }
}
