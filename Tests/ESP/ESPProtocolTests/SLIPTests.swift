import ESPProtocol
import MonotonicTime
import Testing

extension SLIPDecoder {
    /// The events of a whole stream.
    static func all(_ bytes: [UInt8], limit: Int = 1 << 16) -> [Event] {
        var decoder = SLIPDecoder(limit: limit)
        return decoder.decode(bytes)
    }
}

@Suite struct SLIPTests {
    @Test func encodesTheSpecialBytes() {
        #expect(SLIP.encode([0x01, 0xC0, 0x02, 0xDB, 0x03]) == [0xC0, 0x01, 0xDB, 0xDC, 0x02, 0xDB, 0xDD, 0x03, 0xC0])
    }

    @Test func bytesOutsideOfFramesAreNoise() {
        let boot = Array("ets Jun  8 2016\r\n".utf8)
        let events = SLIPDecoder.all(boot + SLIP.encode([1, 2]) + [0x41] + SLIP.encode([3]))
        #expect(events == [.noise(boot), .frame([1, 2]), .noise([0x41]), .frame([3])])
    }

    @Test func framesMayShareADelimiterOrNot() {
        #expect(SLIPDecoder.all([0xC0, 0xC0, 0xC0, 1, 0xC0, 0xC0, 2, 0xC0]) == [.frame([1]), .frame([2])])
    }

    @Test func aStrayDelimiterCostsOneFrameOnly() {
        let events = SLIPDecoder.all([0xC0, 0x55] + SLIP.encode([1]) + SLIP.encode([2]) + SLIP.encode([3]))
        #expect(events.contains(.frame([2])))
        #expect(events.contains(.frame([3])))
    }

    @Test func aBadEscapeDropsTheFrame() {
        #expect(
            SLIPDecoder.all([0xC0, 1, 0xDB, 0x02, 3, 0xC0, 0xC0, 4, 0xC0]) == [.fault(.badEscape(2)), .frame([4])])
        #expect(SLIPDecoder.all([0xC0, 1, 0xDB, 0xC0, 0xC0, 4, 0xC0]) == [.fault(.badEscape(0xC0)), .frame([4])])
    }

    @Test func aFrameBeyondTheLimitIsDroppedOnce() {
        let events = SLIPDecoder.all(SLIP.encode([UInt8](repeating: 1, count: 100)) + SLIP.encode([7]), limit: 10)
        #expect(events == [.fault(.tooLong(limit: 10)), .frame([7])])
        #expect(SLIPDecoder.all(SLIP.encode([UInt8](repeating: 0xC0, count: 10)), limit: 10).count == 1)
    }

    @Test func resetDiscardsTheIncompleteFrame() {
        var decoder = SLIPDecoder(limit: 10)
        #expect(decoder.decode([0xC0, 1, 2]).isEmpty)
        #expect(decoder.isInsideFrame)
        decoder.reset()
        #expect(!decoder.isInsideFrame)
        #expect(decoder.decode([0xC0, 3, 0xC0]) == [.frame([3])])
    }

    @Test func randomFramesInRandomChunksAreDecoded() {
        var random = SeededRandom(seed: 1)
        for _ in 0..<500 {
            var frames: [[UInt8]] = []
            var stream: [UInt8] = []
            for _ in 0..<4 {
                // Half of the bytes are special ones.
                let frame = random.bytes(1 + Int(random.next() % 40)).map {
                    $0 & 1 == 0 ? $0 : [0xC0, 0xDB, 0xDC, 0xDD][Int($0) / 64]
                }
                frames.append(frame)
                stream += SLIP.encode(frame)
            }
            var decoder = SLIPDecoder(limit: 64)
            var events: [SLIPDecoder.Event] = []
            var rest = stream[...]
            while !rest.isEmpty {
                let count = min(rest.count, 1 + Int(random.next() % 7))
                events += decoder.decode(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            #expect(events == frames.map { .frame($0) })
        }
    }

    @Test func randomBytesNeverTrapAndNeverGrow() {
        var random = SeededRandom(seed: 2)
        var decoder = SLIPDecoder(limit: 32)
        for _ in 0..<2000 {
            for event in decoder.decode(random.bytes(Int(random.next() % 200))) {
                if case .frame(let frame) = event {
                    #expect(!frame.isEmpty && frame.count <= 32)
                }
            }
        }
        _ = decoder.decode([0xC0])
        #expect(decoder.decode([0xC0, 5, 0xC0]).contains(.frame([5])))
    }
}
