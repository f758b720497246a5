import BoardParts
import MonotonicTime
import Testing

@Suite struct ContactTests {
    @Test func aButtonConnectsItsPinToGround() throws {
        var trial = try PartTrial("button")
        trial.power(true, at: 0)
        trial.set("contact", 1, at: 100)
        trial.set("contact", 0, at: 350)
        #expect(trial.edges() == ["0 floating", "100 low", "350 floating"])
        trial.set("contact", 0, at: 400)
        #expect(trial.edges().count == 3, "an edge without a change")
    }

    @Test func aButtonToTheSupplyWithAResistorHasBothLevels() throws {
        var trial = try PartTrial("button", settings: ["active": .text("high"), "resistor": .text("external")])
        trial.power(true, at: 0)
        trial.set("contact", 1, at: 100)
        trial.power(false, at: 200)
        #expect(trial.edges() == ["0 low", "100 high", "200 floating"])
    }

    @Test func aBouncingButtonHasSeveralEdgesOfTheSeedAndEndsPressed() throws {
        func edges(_ seed: UInt64) throws -> [String] {
            var trial = try PartTrial("button", settings: ["bounce": .number(5)], seed: seed)
            trial.set("contact", 1, at: 1000)
            let edges = trial.edges(from: 1000)
            #expect(edges.first == "0 low" && edges.last?.hasSuffix(" low") == true)
            #expect((3...9).contains(edges.count) && edges.count % 2 == 1)
            #expect(trial.level(at: 6000) == .low && trial.drives[0]?.last.map { $0.time <= .at(6000) } == true)
            return edges
        }
        #expect(try edges(1) == edges(1))
        #expect(try Set((1...8).map { try edges($0) }).count == 8)
    }

    @Test func aReleaseVoidsTheRestOfTheBounces() throws {
        var trial = try PartTrial("button", settings: ["bounce": .number(100)])
        trial.set("contact", 1, at: 0)
        trial.set("contact", 0, at: 1)
        #expect(trial.level(at: 1) == .floating && trial.level(at: 200_000) == .floating)
    }

    @Test func aSwitchStays() throws {
        var trial = try PartTrial("switch")
        #expect(trial.kind.quantities[0].words == ["open", "closed"])
        trial.set("contact", 1, at: 5)
        trial.power(true, at: 10)
        #expect(trial.edges() == ["5 low", "10 low"])
    }

    @Test func anEncoderTurnsClockwiseWithALeading() throws {
        var trial = try PartTrial("encoder", pins: ["a": [4], "b": [5]], settings: ["step": .number(2)])
        trial.set("position", 1, at: 1000)
        trial.run(to: 1_000_000)
        #expect(trial.edges(0, from: 1000) == ["0 low", "4000 floating"])
        #expect(trial.edges(1, from: 1000) == ["2000 low", "6000 floating"])
    }

    @Test func anEncoderTurnsBackWithBLeading() throws {
        var trial = try PartTrial("encoder", pins: ["a": [4], "b": [5]], settings: ["step": .number(1)])
        trial.set("position", -1, at: 1000)
        trial.run(to: 1_000_000)
        #expect(trial.edges(1, from: 1000) == ["0 low", "2000 floating"])
        #expect(trial.edges(0, from: 1000) == ["1000 low", "3000 floating"])
    }

    @Test(arguments: [(1.0, 3), (2, 6), (4, 12)])
    func anEncoderHasItsEdgesPerDetent(_ edges: Double, _ count: Int) throws {
        var trial = try PartTrial("encoder", pins: ["a": [4], "b": [5]], settings: ["edges": .number(edges)])
        trial.set("position", 3, at: 0)
        trial.run(to: 1_000_000)
        #expect(trial.edges(0).count + trial.edges(1).count == count)
        // Two edges do not come closer than a step, also when it is turned on.
        trial.set("position", 4, at: 1_000_001)
        trial.set("position", 5, at: 1_000_002)
        trial.run(to: 2_000_000)
        let times = (trial.drives[0, default: []] + trial.drives[1, default: []]).map(\.time).sorted()
        #expect(zip(times, times.dropFirst()).allSatisfy { $0.duration(to: $1) >= .milliseconds(5) })
        #expect(times.count == count * 5 / 3)
    }

    @Test func anEncoderFollowsARamp() throws {
        var trial = try PartTrial("encoder", pins: ["a": [4], "b": [5]], settings: ["edges": .number(1)])
        trial.set("position", .ramp(from: 0, to: -4, start: .zero, over: .seconds(4)), at: 0)
        trial.run(to: 3_000_000)
        #expect(trial.edges(1).count == 2 && trial.edges(0).count == 1)
        #expect(trial.drives[1]?.first.map { $0.time >= .at(500_000) && $0.time < .at(500_100) } == true)
    }

    @Test func aPositionBetweenDetentsIsTheNearestEdge() throws {
        for (position, edges) in [(0.6, 1), (0.4, 0), (-0.4, 0), (-0.6, 1)] {
            var trial = try PartTrial("encoder", pins: ["a": [4], "b": [5]], settings: ["edges": .number(1)])
            trial.set("position", position, at: 0)
            trial.run(to: 100_000)
            #expect(trial.edges(0).count + trial.edges(1).count == edges)
        }
    }

    @Test func anEncodersButtonIsItsThirdTerminal() throws {
        var trial = try PartTrial(
            "encoder", pins: ["a": [4], "b": [5], "button": [6]], settings: ["resistor": .text("external")])
        trial.power(true, at: 0)
        trial.set("contact", 1, at: 10)
        #expect(trial.edges(2) == ["0 high", "10 low"])
        #expect(trial.level(0, at: 0) == .high)
        #expect(throws: PartFault.self) { try PartTrial("encoder", settings: ["edges": .number(3)]) }
    }
}

@Suite struct KeypadTests {
    private let pins = ["rows": [13, 12, 14, 27], "columns": [26, 25, 33]]
    private let keys = PartWiring.Value.texts(["123", "456", "789", "*0#"])

    @Test func aPressedKeyConnectsItsRowAndItsColumn() throws {
        var trial = try PartTrial("keypad", pins: pins, settings: ["keys": keys])
        let words = try #require(trial.part.words(ofQuantity: 0))
        #expect(words == ["none"] + "123456789*0#".map(String.init))
        let six = try #require(words.firstIndex(of: "6"))
        trial.set("key", Double(six), at: 0)
        // The library scans: each column low in turn, then released.
        for (index, column) in [4, 5, 6].enumerated() {
            let time = Double(index) * 100 + 100
            trial.drive(.low, terminal: column, at: time)
            for row in 0..<4 {
                #expect(trial.level(row, at: time) == (column == 6 && row == 1 ? .low : .floating), "\(column) \(row)")
            }
            trial.drive(.floating, terminal: column, at: time + 50)
            #expect(trial.level(1, at: time + 50) == .floating)
        }
        trial.drive(.high, terminal: 1, at: 1000)
        #expect(trial.level(6, at: 1000) == .high)
        trial.set("key", 0, at: 2000)
        #expect(trial.level(6, at: 2000) == .floating)
    }

    @Test func aKeyThatIsPressedDuringADriveIsSeen() throws {
        var trial = try PartTrial("keypad", pins: pins, settings: ["keys": keys])
        trial.drive(.low, terminal: 4, at: 0)
        trial.set("key", 10, at: 100)
        #expect(trial.edges(3) == ["100 low"])
    }

    @Test(arguments: [["123", "456", "789"], ["123", "456", "789", "*0"], ["123", "456", "789", "*01"]])
    func wrongKeysAreAFault(_ keys: [String]) {
        #expect(throws: PartFault.self) { try PartTrial("keypad", pins: pins, settings: ["keys": .texts(keys)]) }
    }
}
