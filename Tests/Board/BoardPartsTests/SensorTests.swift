import BoardParts
import MonotonicTime
import Testing

@Suite struct HCSR04Tests {
    private let pins = ["trigger": [5], "echo": [18]]

    private func trial(_ centimetres: Double, pulse: Double = 10) throws -> PartTrial {
        var trial = try PartTrial("hc-sr04", pins: pins)
        trial.power(true, at: 0)
        trial.set("distance", centimetres, at: 0)
        trial.drive(.low, at: 0)
        trial.drive(.high, at: 1000)
        trial.drive(.low, at: 1000 + pulse)
        return trial
    }

    /// The time there and back at 343 m/s.
    @Test(arguments: [(2.0, 116.618), (10, 583.09), (171.5, 10_000), (400, 23_323.615)])
    func theEchosPulseIsAsLongAsTheSoundTravels(_ centimetres: Double, _ microseconds: Double) throws {
        let trial = try trial(centimetres)
        #expect(trial.edges(1) == ["0 low", "1460 high", trial.edges(1)[2]])
        #expect(trial.level(1, at: 1460 + microseconds - 0.001) == .high)
        #expect(trial.level(1, at: 1460 + microseconds + 0.001) == .low)
        #expect(trial.faults.isEmpty)
    }

    @Test func beyondFourMetresThePulseLasts38Milliseconds() throws {
        #expect(try trial(401).edges(1, from: 1460) == ["0 high", "38000 low"])
    }

    @Test func aShortTriggerIsAFault() throws {
        let trial = try trial(50, pulse: 9.5)
        #expect(trial.edges(1) == ["0 low"])
        #expect(trial.faults == ["a trigger of 9.5 µs: expected at least 10 µs"])
    }

    @Test func aTriggerDuringAnEchoHasNoEffect() throws {
        var trial = try trial(100)
        trial.drive(.high, at: 3000)
        trial.drive(.low, at: 3020)
        #expect(trial.edges(1).count == 3)
        trial.drive(.high, at: 60_000)
        trial.drive(.low, at: 60_020)
        #expect(trial.edges(1).count == 5 && trial.edges(1)[3] == "60470 high")
    }

    @Test func withoutItsSupplyItDoesNotAnswer() throws {
        var trial = try trial(100)
        trial.power(false, at: 2000)
        #expect(trial.level(1, at: 2001) == .floating && trial.level(1, at: 50_000) == .floating)
        trial.drive(.high, at: 60_000)
        trial.drive(.low, at: 60_020)
        #expect(trial.level(1, at: 60_500) == .floating)
    }
}

@Suite struct DHTSensorTests {
    /// Sends a start signal, and reads the line as a driver does: by the lengths of its high levels.
    private func read(_ trial: inout PartTrial, at time: Double, low: Double) -> [UInt8] {
        trial.drive(.low, at: time)
        trial.drive(.floating, at: time + low)
        let edges = trial.drives[0]?.filter { $0.time > .at(time + low) } ?? []
        guard edges.count == 84 else { return [] }
        let lengths = zip(edges, edges.dropFirst()).map {
            Double($0.time.duration(to: $1.time).wholeNanoseconds) / 1000
        }
        #expect(edges[0].time == .at(time + low + 40))
        #expect(lengths[0] == 80 && lengths[1] == 80)
        #expect(edges.enumerated().allSatisfy { $1.drive == ($0.isMultiple(of: 2) ? .low : .floating) })
        var bytes: [UInt8] = []
        for bit in 0..<40 {
            #expect(lengths[2 + bit * 2] == 50)
            let high = lengths[3 + bit * 2]
            #expect((26...28).contains(high) || high == 70)
            if bit.isMultiple(of: 8) { bytes.append(0) }
            bytes[bit / 8] = bytes[bit / 8] << 1 | (high > 50 ? 1 : 0)
        }
        #expect(lengths[82] == 50)
        return bytes
    }

    /// The first is the data sheet's example; the second has its other examples' values, 65.2 % and -10.1 °C.
    @Test(
        arguments: [
            (26.9, 65.8, [0x02, 0x92, 0x01, 0x0D, 0xA2]),
            (-10.1, 65.2, [0x02, 0x8C, 0x80, 0x65, 0x73]),
            (-40, 0, [0x00, 0x00, 0x81, 0x90, 0x11]),
            (80, 100, [0x03, 0xE8, 0x03, 0x20, 0x0E]),
            (-0.04, 50, [0x01, 0xF4, 0x00, 0x00, 0xF5]),
        ] as [(Double, Double, [UInt8])])
    func aDHT22SendsTenthsAndAChecksum(_ celsius: Double, _ percent: Double, _ bytes: [UInt8]) throws {
        var trial = try PartTrial("dht22")
        trial.set("temperature", celsius, at: 0)
        trial.set("humidity", percent, at: 0)
        #expect(read(&trial, at: 1000, low: 1100) == bytes)
        #expect(trial.faults.isEmpty && trial.kind.terminals[0].hasPullUp)
    }

    /// The first is the example of the data sheet: 53 % and 24.4 °C.
    @Test(
        arguments: [
            (24.4, 53, [0x35, 0x00, 0x18, 0x04, 0x51]), (-10.1, 20, [0x14, 0x00, 0x0A, 0x81, 0x9F]),
        ] as [(Double, Double, [UInt8])])
    func aDHT11SendsWholePercent(_ celsius: Double, _ percent: Double, _ bytes: [UInt8]) throws {
        var trial = try PartTrial("dht11")
        trial.set("temperature", celsius, at: 0)
        trial.set("humidity", percent, at: 0)
        #expect(read(&trial, at: 1000, low: 16_900) == [])
        #expect(trial.faults == ["a start signal of 16900.0 µs: expected at least 18 ms"])
        #expect(read(&trial, at: 100_000, low: 20_000) == bytes)
    }

    @Test func withinTwoSecondsTheLastConversionIsSent() throws {
        var trial = try PartTrial("dht22")
        trial.set("temperature", 10, at: 0)
        let first = read(&trial, at: 1000, low: 1000)
        #expect(first[3] == 100)
        trial.set("temperature", 11, at: 500_000)
        #expect(read(&trial, at: 2_000_000, low: 1000) == first)
        #expect(read(&trial, at: 2_003_000, low: 1000) == [], "a start signal while it sends")
        #expect(read(&trial, at: 2_100_000, low: 1000)[3] == 110)
    }

    @Test func aDHT11ConvertsOnceASecond() throws {
        var trial = try PartTrial("dht11")
        #expect(read(&trial, at: 0, low: 18_000)[2] == 20)
        trial.set("temperature", 30, at: 500_000)
        #expect(read(&trial, at: 900_000, low: 18_000)[2] == 20)
        #expect(read(&trial, at: 1_000_000, low: 18_000)[2] == 30)
    }

    @Test func inItsFirstSecondItDoesNotAnswer() throws {
        var trial = try PartTrial("dht22")
        trial.power(true, at: 0)
        #expect(read(&trial, at: 500_000, low: 1000) == [])
        #expect(trial.faults.count == 1)
        #expect(read(&trial, at: 1_000_000, low: 1000).count == 5)
        trial.power(false, at: 1_003_000)
        #expect(trial.level(at: 1_004_000) == .floating)
        #expect(read(&trial, at: 5_000_000, low: 1000) == [])
    }

    @Test func aShortStartSignalIsAFault() throws {
        var trial = try PartTrial("dht22")
        #expect(read(&trial, at: 1000, low: 500) == [])
        #expect(trial.faults == ["a start signal of 500.0 µs: expected at least 1 ms"])
    }
}
