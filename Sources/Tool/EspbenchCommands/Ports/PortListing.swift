import SerialPort

/// The ports of this machine, and the boards on them.
struct PortListing: Sendable {
    /// Whether chips are asked for their names, which resets them.
    let probes: Bool
    /// The ports, in the order of ``PortKinds``.
    private(set) var records: [PortRecord] = []

    /// A listing that has read nothing yet.
    init(probes: Bool) {
        self.probes = probes
    }

    /// Lists all ports anew. Ports that were there are not probed again.
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

    /// Reads only the ports at `addresses`, which need not be listed by their kinds.
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

    /// Whether both are the same device at the same port; another device may get the port of one that was unplugged.
    private static func isSame(_ first: PortRecord, _ second: PortRecord) -> Bool {
        first.port == second.port && first.usb == second.usb
    }
}
