import BoardParts
import MonotonicTime
import Testing

@Suite struct PartCatalogueTests {
    @Test func everyKindHasItsOwnNameAndIsFoundByIt() {
        let names = PartCatalogue.builtIn.map(\.name)
        #expect(names == names.sorted())
        #expect(Set(names).count == names.count)
        #expect(PartCatalogue.kind(named: "dht22")?.name == "dht22")
        #expect(PartCatalogue.kind(named: "DHT22") == nil)
    }

    @Test(arguments: PartCatalogue.builtIn)
    func aKindDescribesItself(_ kind: PartKind) {
        #expect(!kind.summary.isEmpty && !kind.source.isEmpty)
        #expect(!kind.terminals.isEmpty || !kind.addresses.isEmpty)
        for quantity in kind.quantities { #expect(quantity.range.contains(quantity.initial)) }
        let keys = kind.terminals.map(\.name) + kind.settings.map(\.name)
        #expect(Set(keys).count == keys.count, "a key that is there twice")
        for case .number(let range, let initial?) in kind.settings.map(\.form) { #expect(range.contains(initial)) }
    }

    /// Quantities out of their range, as a damaged recording might have them, do not trap.
    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
    func aWrongQuantityIsHarmless(_ value: Double) throws {
        for kind in PartCatalogue.builtIn where kind.addresses.isEmpty {
            let pins = Dictionary(uniqueKeysWithValues: kind.terminals.map { ($0.name, [1]) })
            var trial = try PartTrial(
                kind.name, pins: pins, settings: kind.name == "keypad" ? ["keys": .texts(["1"])] : [:])
            for quantity in kind.quantities {
                trial.set(quantity.name, value, at: 0)
                trial.set(quantity.name, .ramp(from: 0, to: value, start: .zero, over: .milliseconds(10)), at: 1)
            }
            trial.drive(.high, at: 2)
            trial.drive(.low, at: 1000)
            trial.drive(.floating, at: 30_000)
            trial.pwm(PWMSignal(millihertz: 0, duty: value), at: 30_001)
            _ = trial.voltage(at: 30_001)
        }
    }

    @Test func aCrossingIsFoundBetweenTwoPoints() throws {
        // A contact that is recorded: pressed from 1 s to 2 s, then again from 3.5 s on.
        let points = [(0.0, 0.0), (1, 0), (1, 1), (2, 1), (2, 0), (3, 0), (4, 1)].map {
            QuantityCourse.Point(after: .seconds($0.0), value: $0.1)
        }
        var trial = try PartTrial("button")
        trial.set("contact", .recording(points, start: .zero), at: 0)
        trial.run(to: 10_000_000)
        #expect(trial.edges() == ["1000000 low", "2000000 floating", "3500000 low"])
    }

    @Test func aFallingRampIsFollowed() throws {
        var trial = try PartTrial("button")
        trial.set("contact", 1, at: 0)
        trial.set("contact", .ramp(from: 1, to: 0, start: .at(1000), over: .milliseconds(2)), at: 1000)
        trial.run(to: 10_000)
        #expect(trial.level(at: 1999.9) == .low && trial.level(at: 2000.1) == .floating)
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
