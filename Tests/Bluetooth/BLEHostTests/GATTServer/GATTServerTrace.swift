import ByteCodec
import Foundation
import Testing

/// One recorded exchange of `Tests/Bluetooth/Traces`; its README says how they were made.
struct TraceStep: Decodable {
    var session: String?
    var step: String
    var send: String
    var recv: [String]
    var note: String

    /// Whether the step opens a connection.
    var isConnect: Bool { step == "connect" }

    static func load(_ name: String) throws -> [TraceStep] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: tests.appending(path: "Traces/\(name).jsonl"), encoding: .utf8)
        let decoder = JSONDecoder()
        return try text.split(separator: "\n").map { try decoder.decode(TraceStep.self, from: Data($0.utf8)) }
    }
}
