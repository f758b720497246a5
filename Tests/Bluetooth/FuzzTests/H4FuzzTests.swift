import BLEPackets
import BLERadio
import BLERadioServing
import MonotonicTime
import Testing

/// Random byte streams, in chunks of any size.
@Suite struct H4FuzzTests {
    @Test(arguments: Fuzz.seeds) func randomStreamsNeverTrapTheParser(seed: UInt64) throws {
        var fuzz = Fuzz(seed: seed, "H4")
        let valid = try Recordings.packets().map { [$0.kind.rawValue] + $0.bytes }
        var fed = 0
        while fed < 60_000 {
            var input = H4Input(H4Limits(bytesPerSecond: .max), now: .zero)
            var bytes = 0
            var packets: [HCIPacket] = []
            do throws(H4Input.Fault) {
                for _ in 0..<fuzz.below(200) {
                    fed += 1
                    let piece = fuzz.once(in: 6) ? fuzz.input(near: valid, longest: 2000) : fuzz.any(of: valid)
                    bytes += piece.count
                    var rest = piece[...]
                    while !rest.isEmpty {
                        let part = rest.prefix(1 + fuzz.below(fuzz.once(in: 3) ? 3 : 400))
                        rest = rest.dropFirst(part.count)
                        try input.receive(Array(part), now: .zero, into: &packets)
                    }
                }
            } catch {
                fed += 1
            }
            // Every byte is in one packet at most.
            #expect(packets.reduce(0) { $0 + 1 + $1.bytes.count } <= bytes)
        }
    }
}
