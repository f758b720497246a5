import Foundation

/// One line of a recording; `Tests/Bluetooth/Traces/README.md` says how they were made and what the fields mean.
struct TraceLine: Decodable, Sendable {
    var step: String?
    var note: String?
    var phase: String?
    var dir: String?
    var hci: String?
    var cid: UInt16?
    var send: String?
    /// ``TraceLine/cid`` and PDU, in hexadecimal.
    var recv: [[String]]?
    /// Packet boundary and fragment, in hexadecimal.
    var acl: [[String]]?

    static func read(_ name: String) throws -> [TraceLine] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Traces")
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        return try text.split(separator: "\n").map {
            try JSONDecoder().decode(TraceLine.self, from: Data($0.utf8))
        }
    }
}
