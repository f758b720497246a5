import BLEPackets
import ByteCodec
import Foundation
import MonotonicTime

/// Nearly valid input: recorded data with bytes changed, removed, added and mixed.
///
/// All input derives from the seed, which is in the name of each test case. `ESPBENCH_FUZZ_SEED=N` runs another one.
struct Fuzz {
    /// The seeds of a run.
    static let seeds: [UInt64] =
        ProcessInfo.processInfo.environment["ESPBENCH_FUZZ_SEED"].flatMap(UInt64.init).map { [$0] } ?? [1, 2]

    let seed: UInt64
    var random: SeededRandom
    /// How many inputs there have been.
    private(set) var count = 0

    init(seed: UInt64, _ label: String) {
        self.seed = seed
        random = SeededRandom(seed: seed).fork(label)
    }

    mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

    /// True once in `odds` times.
    mutating func once(in odds: Int) -> Bool { below(odds) == 0 }

    mutating func any<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }

    mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: random.next()) }

    /// One of `valid` as it is, changed, or bytes of any kind.
    mutating func input(near valid: [[UInt8]], longest: Int = 64) -> [UInt8] {
        count += 1
        if valid.isEmpty || once(in: 8) { return random.bytes(below(longest)) }
        var bytes = any(of: valid)
        for _ in 0..<below(4) {
            let place = bytes.isEmpty ? 0 : below(bytes.count)
            switch below(8) {
            case 0 where !bytes.isEmpty: bytes[place] ^= 1 << UInt8(below(8))
            case 1 where !bytes.isEmpty: bytes[place] = byte()
            case 2 where !bytes.isEmpty: bytes[place] = any(of: [0, 1, 0x7F, 0x80, 0xFE, 0xFF])
            case 3: bytes.removeSubrange(place...)
            case 4: bytes.insert(byte(), at: place)
            case 5: bytes += random.bytes(below(longest))
            case 6: bytes = Array(bytes[..<place] + any(of: valid).dropFirst(place))
            default: break
            }
        }
        return bytes
    }

    /// The text for a failure.
    func place(_ bytes: [UInt8]) -> String {
        "seed \(seed), input \(count): \(Hexadecimal.string(bytes))"
    }
}

/// The recordings of `Tests/Bluetooth/Traces`, as input.
enum Recordings {
    private struct Line: Decodable {
        var send: String?
        var recv: Received?
        var cid: Int?
        var dir: String?
        var hci: String?

        /// PDUs, or pairs of channel and PDU.
        enum Received: Decodable {
            case pdus([String])
            case pairs([[String]])

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                self =
                    if let pdus = try? container.decode([String].self) { .pdus(pdus) } else {
                        .pairs(try container.decode([[String]].self))
                    }
            }
        }
    }

    private static func lines(_ name: String) throws -> [Line] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Traces")
        let text = try String(contentsOf: folder.appending(path: name + ".jsonl"), encoding: .utf8)
        let decoder = JSONDecoder()
        return try text.split(separator: "\n").map { try decoder.decode(Line.self, from: Data($0.utf8)) }
    }

    /// At most six of each kind, since frequent ones are not the most relevant.
    static func fewOfEach(_ packets: [[UInt8]], kind: ([UInt8]) -> [UInt8]) -> [[UInt8]] {
        var counts: [[UInt8]: Int] = [:]
        return packets.filter { packet in
            counts[kind(packet), default: 0] += 1
            return counts[kind(packet), default: 0] <= 6
        }
    }

    /// Requests of clients, and responses.
    static func attributePDUs() throws -> (requests: [[UInt8]], answers: [[UInt8]]) {
        let lines = try ["nimble-calculator", "nimble-lock", "nimble-borders"].flatMap(lines)
        let answers = lines.flatMap { line -> [String] in
            if case .pdus(let pdus) = line.recv { pdus } else { [] }
        }
        return (lines.compactMap { $0.send.flatMap { Hexadecimal.bytes($0) } }, answers.compactMap(Hexadecimal.bytes))
    }

    /// PDUs of both sides on the Security Manager's channel.
    static func securityPDUs() throws -> [[UInt8]] {
        let raw = try lines("nimble-smp-l2cap").filter { $0.cid == 6 }.compactMap {
            $0.send.flatMap { Hexadecimal.bytes($0) }
        }
        let paired = try packets().filter { $0.kind == .acl && $0.bytes.count > 8 && $0.bytes[6] == 6 }
        return raw + paired.map { Array($0.bytes.dropFirst(8)) }
    }

    /// HCI packets in both directions.
    static func packets() throws -> [HCIPacket] {
        try ["nimble-hci-init", "nimble-hci-lock", "nimble-hci-calculator-pair"].flatMap(lines).compactMap { line in
            guard let bytes = line.hci.flatMap({ Hexadecimal.bytes($0) }), let first = bytes.first,
                let kind = HCIPacket.Kind(rawValue: first)
            else { return nil }
            return HCIPacket(kind, Array(bytes.dropFirst()))
        }
    }
}
