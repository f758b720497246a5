import BLECore
import BLEPackets
import BLERadio
import MonotonicTime
import Testing

@Suite struct FuzzTests {
    /// Commands and data of any kind, half of them nearly right, on a medium with connections: no trap, an answer to
    /// each complete command, and no endless activity.
    @Test(arguments: 1...8 as ClosedRange<UInt64>) func randomInputNeverTraps(seed: UInt64) throws {
        let bench = AirBench(seed: seed)
        let kinds = [ControllerPersonality.esp32, .bluetooth5_0, .extended, .extended]
        let ids = kinds.map { bench.add($0) }
        var random = SeededRandom(seed: seed)
        func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
        try bench.connect(ids[0], ids[1])
        for _ in 0..<5000 {
            let id = ids[below(ids.count)]
            switch below(8) {
            case 0:
                bench.send(HCIPacket(.acl, random.bytes(below(12))), from: id)
            case 1:
                bench.sendACL(
                    random.bytes(below(260)), handle: UInt16(below(3)),
                    boundary: HCIACLHeader.Boundary(rawValue: UInt8(below(4))) ?? .complete, from: id)
            case 2:
                bench.run(for: .milliseconds(below(100)))
                let path = RadioPath(pathLoss: 40 + below(80), lossRate: below(4) == 0 ? 0.5 : 0)
                bench.air.setPath(path, between: ids[below(4)], and: ids[below(4)], now: bench.now)
            case 3:
                bench.send(HCIPacket(.command, random.bytes(below(8))), from: id)
            default:
                let opcode = HCIOpcode.commands[below(HCIOpcode.commands.count)].opcode
                if opcode == .reset, below(20) != 0 { continue }
                var parameters = random.bytes(HCICommandLength.of(opcode))
                // Small numbers are more often in range.
                for index in parameters.indices where below(3) != 0 { parameters[index] &= 0x03 }
                if below(2) == 0, let usual = Self.usual[opcode] {
                    parameters = usual.map { below(20) == 0 ? UInt8(below(256)) : $0 }
                }
                let low = UInt8(truncatingIfNeeded: opcode.rawValue)
                _ = bench.take(id)
                bench.send(
                    HCIPacket(.command, [low, UInt8(opcode.rawValue >> 8), UInt8(parameters.count)] + parameters),
                    from: id)
                #expect(opcode == .hostNumberOfCompletedPackets || !bench.take(id).isEmpty)
            }
        }
        for id in ids { bench.send(HCIReset(), from: id) }
        bench.run(for: .seconds(60))
        #expect(bench.air.nextDeadline == nil)
    }

    /// Cases that random input rarely finds: lists, and intervals within their ranges.
    private static let usual: [HCIOpcode: [UInt8]] = [
        .leSetExtendedAdvertisingParameters: [
            0, 0x13, 0, 0x30, 0, 0, 0x30, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 127, 1, 0, 2, 1, 1,
        ],
        .leSetExtendedAdvertisingData: [0, 3, 0, 3, 2, 1, 6],
        .leSetExtendedAdvertisingEnable: [1, 1, 0, 20, 0, 5],
        .leSetExtendedScanParameters: [0, 0, 5, 1, 0x10, 0, 0x10, 0, 1, 0x10, 0, 0x10, 0],
        .leSetExtendedScanEnable: [1, 1, 0, 0, 0, 0],
        .leExtendedCreateConnection: [0, 0, 0, 0, 0, 0, 0xC4, 0x0A, 0x24, 1]
            + [0x60, 0, 0x30, 0, 6, 0, 6, 0, 0, 0, 0x64, 0, 0, 0, 0, 0],
        .leSetPHY: [0, 0, 0, 3, 3, 0, 0],
    ]
}

/// The number of parameter bytes of a command, found by trial.
enum HCICommandLength {
    static func of(_ opcode: HCIOpcode) -> Int {
        guard let type = HCIOpcode.commands.first(where: { $0.opcode == opcode }) else { return 0 }
        return (0...64).first { (try? type.init(parameters: ArraySlice(repeatElement(0, count: $0)))) != nil } ?? 0
    }
}
