import BLECentral
import BLECore
import Console
import LogFiles

/// What a restoring central does, line by line, in the log of a program that runs long.
struct RestorationLog: Sendable {
    private let identifier: String
    private let log: TimedLog

    init(_ identifier: String, _ log: TimedLog) {
        self.identifier = identifier
        self.log = log
    }

    /// Writes one line, whatever names peers give themselves.
    private func write(_ text: String) { log.write("\(identifier): \(VisibleText.make(Array(text.utf8)))") }

    /// What the last program had.
    func begin(_ restored: [RestorablePeripheral]) {
        write("restored \(restored.count) peripheral\(restored.count == 1 ? "" : "s")")
        for record in restored {
            let parts =
                [Self.name(record.peer, record.name)] + record.subscriptions.map { "subscribed \($0.path)" }
                + record.unfinished.map { operation in
                    let what = if case .read = operation.kind { "read" } else { "write" }
                    return "a \(what) of \(operation.path) had not ended"
                }
            write(parts.joined(separator: ", "))
        }
    }

    /// What the central does; nothing of single reads and writes.
    func record(_ entry: CentralJournalEntry) {
        switch entry {
        case .connected(let peer, let name): write("connected to \(Self.name(peer, name))")
        case .secured(let peer): write("the security of \(peer) has changed")
        case .disconnected(let peer): write("\(peer) is not wanted any more")
        case .subscribed(let peer, let path, .none): write("\(path) of \(peer) is not subscribed any more")
        case .subscribed(let peer, let path, let kind): write("subscribed to \(kind) of \(path) of \(peer)")
        case .began, .ended: break
        }
    }

    /// A connection has ended.
    func record(_ end: Disconnection) {
        let reason = end.reason.map { ", reason 0x" + ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
        write("the connection to \(end.peer) ended\(reason ?? "")\(end.isPurposeful ? ", as it was to" : "")")
    }

    /// A peripheral was taken up, or not.
    func record(_ restoration: Restoration) {
        switch restoration {
        case .connected(let restored):
            write("took up \(Self.name(restored.peripheral.id, restored.record.name))")
            for (path, error) in restored.failures.sorted(by: { "\($0.key)" < "\($1.key)" }) {
                write("did not take up \(path) of \(restored.peripheral.id): \(error)")
            }
        case .failed(let record, let error): write("did not take up \(Self.name(record.peer, record.name)): \(error)")
        }
    }

    /// What could not be written.
    func record(_ error: RestorationError) { write("error: \(error)") }

    private static func name(_ peer: PeerID, _ name: String?) -> String { name.map { "\($0) (\(peer))" } ?? "\(peer)" }
}
