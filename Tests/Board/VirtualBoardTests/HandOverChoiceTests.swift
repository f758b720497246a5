import Testing

import VirtualBoard

@Suite("The way that board and firmware process hand over")
struct HandOverChoiceTests {
    private static let window: UInt64 = 20_000_000

    /// What is measured in one window of which so many percent were run and waited by the two together.
    private static func measured(running: UInt64, waiting: UInt64) -> HandOverChoice.Measurement {
        HandOverChoice.Measurement(
            elapsed: window, running: window * running / 100, waiting: window * waiting / 100)
    }

    private static let alone = measured(running: 200, waiting: 0)
    /// Three threads on two processors: each gets two thirds of one.
    private static let besideBusy = measured(running: 133, waiting: 67)
    private static let shared = measured(running: 96, waiting: 30)

    @Test("is spinning while both get all the time they ask for")
    func alone() {
        var choice = HandOverChoice(processorCount: 2, preferred: 0)
        for _ in 0..<1000 { choice.decide(Self.alone, isCrowded: false) }
        #expect(choice.way == .spinning)
    }

    @Test("is sharing a processor where another program needs one, and spinning again once that is over")
    func busy() {
        var choice = HandOverChoice(processorCount: 2, preferred: 1)
        choice.decide(Self.besideBusy, isCrowded: false)
        #expect(choice.way == .sharing(1))
        var windows = 0
        while choice.way == .sharing(1), windows < 1000 {
            choice.decide(Self.shared, isCrowded: false)
            windows += 1
        }
        #expect(choice.way == .spinning)
        #expect(UInt64(windows) * Self.window >= HandOverChoice.firstPause)
        for _ in 0..<1000 { choice.decide(Self.alone, isCrowded: false) }
        #expect(choice.way == .spinning)
    }

    @Test("is tried again ever more seldom while the other program goes on")
    func pauses() {
        var choice = HandOverChoice(processorCount: 2, preferred: 0)
        var pauses: [Int] = []
        for _ in 0..<8 {
            choice.decide(Self.besideBusy, isCrowded: false)
            var windows = 0
            while choice.way != .spinning {
                choice.decide(Self.shared, isCrowded: false)
                windows += 1
            }
            pauses.append(windows)
        }
        #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(pauses.last == Int(HandOverChoice.longestPause / Self.window))
    }

    @Test("moves to another processor where a program is tied to the shared one, but not round and round")
    func moves() {
        var choice = HandOverChoice(processorCount: 3, preferred: 0)
        choice.decide(Self.besideBusy, isCrowded: false)
        var ways: [HandOverChoice.Way] = []
        for _ in 0..<5 {
            choice.decide(Self.measured(running: 50, waiting: 80), isCrowded: false)
            ways.append(choice.way)
        }
        #expect(ways == [.sharing(1), .sharing(2), .sharing(0), .sharing(0), .sharing(0)])
    }

    @Test("is sharing the board's own processor where benches are many")
    func crowded() {
        var choice = HandOverChoice(processorCount: 2, preferred: 1)
        for _ in 0..<1000 { choice.decide(Self.shared, isCrowded: true) }
        #expect(choice.way == .sharing(1))
        var single = HandOverChoice(processorCount: 1, preferred: 0)
        for _ in 0..<1000 { single.decide(Self.shared, isCrowded: false) }
        #expect(single.way == .sharing(0))
    }

    @Test("prefers the processor that the fewest do, and among those the thread's own")
    func preference() {
        let processors = Processors(allowed: [4, 6])
        let first = processors.add(from: 4)
        let second = processors.add(from: 4)
        #expect([first.preferred, second.preferred] == [0, 1])
        // The next board of the second bench is added before its last one is removed.
        let next = processors.add(from: 6)
        processors.remove(second, preferred: second.preferred)
        #expect(next.preferred == 1)
        // On a processor that is not known, or not allowed, it is the first.
        #expect(processors.add(from: -1).preferred == 0)
    }
}
