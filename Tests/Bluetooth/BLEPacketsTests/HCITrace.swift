import BLEPackets
import ByteCodec
import Foundation

/// The recorded packets of `Tests/Bluetooth/Traces/nimble-hci-init.jsonl`.
struct HCITrace {
    var isFromHost: Bool
    var packet: HCIPacket

    struct Line: Decodable {
        var dir: String
        var hci: String
    }

    static func load() throws -> [HCITrace] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: tests.appending(path: "Traces/nimble-hci-init.jsonl"), encoding: .utf8)
        return try text.split(separator: "\n").map { line in
            let line = try JSONDecoder().decode(Line.self, from: Data(line.utf8))
            let bytes = Hexadecimal.bytes(line.hci) ?? []
            let kind = bytes.first.flatMap { HCIPacket.Kind(rawValue: $0) } ?? .acl
            return HCITrace(isFromHost: line.dir == "h2c", packet: HCIPacket(kind, Array(bytes.dropFirst())))
        }
    }
}
