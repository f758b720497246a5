import BoardParts
import MonotonicTime
import Testing

struct PartCatalogueTests {
    @Test func namesAreInOrderAndHaveAddresses() {
        let names = PartCatalogue.builtIn.map(\.name)
        #expect(names == names.sorted() && Set(names).count == names.count)
        #expect(PartCatalogue.builtIn.allSatisfy { !$0.summary.isEmpty && !$0.source.isEmpty })
        #expect(PartCatalogue.kind(named: "sht31")?.addresses == [0x44, 0x45])
        #expect(PartCatalogue.kind(named: "sht32") == nil)
    }

    /// Any bytes at any time are answered without a trap, and the same ones for the same seed.
    @Test(arguments: PartCatalogue.builtIn.filter { !$0.addresses.isEmpty }.map(\.name))
    func anyBytesAreAnswered(_ name: String) throws {
        let answers = try (0..<2).map { _ in
            let pins = Dictionary(
                uniqueKeysWithValues: (PartCatalogue.kind(named: name)?.terminals ?? []).map { ($0.name, [4]) })
            let bus = try I2CMaster(name, pins: pins)
            var random = SeededRandom(seed: 7)
            var answers: [UInt8] = []
            for _ in 0..<2_000 {
                switch Int.random(in: 0..<8, using: &random) {
                case 0: bus.wait(.microseconds(Int.random(in: 0..<20_000, using: &random)))
                case 1: answers += bus.read(Int.random(in: 0..<20, using: &random)) ?? []
                case 2: answers += bus.read(UInt8.random(in: 0...255, using: &random), 3) ?? []
                case 3:
                    guard let quantity = bus.kind.quantities.randomElement(using: &random) else { continue }
                    try bus.set(quantity.name, Double.random(in: quantity.range, using: &random))
                case 4:
                    // A command of SHT31, which random bytes hardly meet.
                    bus.write(0x24, 0x00)
                default:
                    bus.write(random.bytes(Int.random(in: 0..<8, using: &random)), stop: Bool.random(using: &random))
                }
                bus.faults = []
            }
            for index in bus.kind.readings.indices { _ = bus.part.reading(index, at: bus.now) }
            return answers
        }
        #expect(answers[0] == answers[1] && !answers[0].isEmpty)
    }
}
