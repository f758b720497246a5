import BenchModel

/// The positions of a timeline's rows, in about three bytes per row: blocks of lines with the kind and source of every
/// line, and the names of attributes.
package struct TimelineIndex: Sendable {
    /// The names of attributes of one suite; each suite may have a different board.
    private struct Names {
        var firstRow: Int
        var names: [UInt16: String] = [:]
    }

    /// The maximum number of suites with names, and of names per suite; other attributes are shown by their handles.
    private static let (maximumSuites, maximumNames) = (1024, 512)
    /// The kinds with an attribute.
    private static let attributeKinds: Set<String> = [
        ValueWritten.kind, ValueRead.kind, SubscriptionWritten.kind, NotificationReceived.kind,
        IndicationReceived.kind, ATTErrorReceived.kind,
    ]

    /// The full blocks.
    package private(set) var blocks: [TimelineBlock] = []
    /// The last block, which is not full.
    package private(set) var last = TimelineBlock(firstRow: 0, offset: 0)
    /// The names of kinds; the first name, which is empty, is for broken lines.
    package private(set) var kinds = NameNumbers([""])
    package private(set) var sources = NameNumbers()
    private var suites = [Names(firstRow: 0)]

    package var rowCount: Int { last.endRow }
    /// The offset of the next line.
    package var end: Int64 { last.end }
    package var blockCount: Int { blocks.count + (last.tags.isEmpty ? 0 : 1) }

    /// The kind of the last row; `nil` without rows.
    package var lastKind: String? {
        (last.tags.last ?? blocks.last?.tags.last).map { kinds.names[Int($0.kind)] }
    }

    package func block(_ number: Int) -> TimelineBlock { number < blocks.count ? blocks[number] : last }

    /// Adds a line, given without its ending.
    package mutating func append(_ line: ArraySlice<UInt8>) {
        append(LineHead(line), length: line.count, line: line)
    }

    /// Adds a line that is too long to be kept, and therefore is not an event.
    package mutating func appendBroken(length: Int) {
        append(nil, length: length, line: [])
    }

    private mutating func append(_ head: LineHead?, length: Int, line: ArraySlice<UInt8>) {
        if last.isFull {
            blocks.append(last)
            last = TimelineBlock(firstRow: last.endRow, offset: last.end)
        }
        if let head {
            if head.kind == SuiteBegan.kind, suites.count < Self.maximumSuites {
                suites.append(Names(firstRow: rowCount))
            } else if Self.attributeKinds.contains(head.kind), let attribute = head.attribute(of: line) {
                note(attribute)
            }
            last.times = (min(last.times.earliest, head.time), max(last.times.latest, head.time))
        }
        last.tags.append(RowTag(kind: kinds.count(head?.kind ?? ""), source: sources.count(head?.source ?? "")))
        last.length += length + 1
    }

    private mutating func note(_ attribute: (handle: UInt16, name: String)) {
        let names = suites[suites.count - 1].names
        guard names[attribute.handle] != attribute.name, names.count < Self.maximumNames else { return }
        suites[suites.count - 1].names[attribute.handle] = attribute.name
    }

    /// The names of attributes in a row's suite.
    package func names(at row: Int) -> [UInt16: String] {
        suites.last { $0.firstRow <= row }?.names ?? [:]
    }

    /// The number of the block that contains a row.
    package func blockNumber(of row: Int) -> Int {
        var (low, high) = (0, blocks.count)
        while low < high {
            let middle = (low + high) / 2
            if blocks[middle].endRow <= row { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Assigns one-byte numbers to names, in the order of their first use; a file may have any number of names.
package struct NameNumbers: Sendable {
    /// The shared number of all names beyond the last free number.
    private static let overflow: UInt8 = 255

    /// The names by their numbers.
    package private(set) var names: [String]
    /// The number of rows for each name.
    package private(set) var rows: [Int]
    private var numbers: [String: UInt8]

    /// A list that begins with these names.
    package init(_ names: [String] = []) {
        self.names = names
        rows = names.map { _ in 0 }
        numbers = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, UInt8($0)) })
    }

    /// Counts a row with this name; returns the name's number.
    package mutating func count(_ name: String) -> UInt8 {
        let number = numbers[name] ?? add(name)
        rows[Int(number)] += 1
        return number
    }

    private mutating func add(_ name: String) -> UInt8 {
        guard names.count < Int(Self.overflow) else {
            if names.count == Int(Self.overflow) {
                names.append("(others)")
                rows.append(0)
            }
            return Self.overflow
        }
        names.append(name)
        rows.append(0)
        let number = UInt8(names.count - 1)
        numbers[name] = number
        return number
    }
}

/// The columns of a timeline; each kind of event belongs to one column.
package enum TimelineLane: String, CaseIterable, Sendable {
    case suite, board, console, gatt, hci
    /// Kinds of events from a newer espbench.
    case other
    /// Lines that are not events.
    case broken

    private static let kinds: [TimelineLane: [String]] = [
        .suite: ["timeline", "end", "suite", "case", "step", "verdict", "fault"],
        .board: [
            "power", "brownout", "reset", "flash", "boot", "pin", "pinIgnored", "pwm", "adc", "dac", "i2c", "spi",
            "part",
            "set",
            "partMisused", "conflict", "servo", "button", "nvs", "panic",
            "watchdog", "hang", "sanitizer", "notificationRefused", "nimble",
        ],
        .console: ["console", "unfinished", "input"],
        .gatt: [
            "advertisement", "connected", "disconnected", "mtu", "discovered", "write", "read", "subscription",
            "notification", "indication", "attError", "pairing", "pairingInput", "pairingAnswer", "securityFailure",
            "securityRequest", "security", "forgotten",
        ],
        .hci: ["hci", "attPDU", "controller", "controllerRemoved"],
    ]

    private static let byKind: [String: TimelineLane] = Dictionary(
        uniqueKeysWithValues: kinds.flatMap { lane, kinds in kinds.map { ($0, lane) } })

    /// The lane of a kind; broken lines have an empty kind.
    package init(kind: String) {
        self = kind.isEmpty ? .broken : Self.byKind[kind] ?? .other
    }
}
