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

    /// Decides once for each window, on a clock that advances by it.
    private struct Windows {
        var choice: HandOverChoice
        var now: UInt64 = 0

        var way: HandOverChoice.Way { choice.way }

        init(_ processorCount: Int, preferred: Int) {
            choice = HandOverChoice(processorCount: processorCount, preferred: preferred)
        }

        mutating func decide(_ measured: HandOverChoice.Measurement?, times: Int = 1, isCrowded: Bool = false) {
            for _ in 0..<times {
                now += window
                choice.decide(measured, at: now, isCrowded: isCrowded)
            }
        }
    }

    @Test("is spinning while both get all the time they ask for, also after one bad measurement")
    func alone() {
        var windows = Windows(2, preferred: 0)
        for _ in 0..<100 {
            windows.decide(Self.besideBusy)
            windows.decide(Self.alone, times: 10)
        }
        #expect(windows.way == .spinning)
    }

    @Test("is sharing a processor where another program needs one, and spinning again once that is over")
    func busy() {
        var windows = Windows(2, preferred: 1)
        windows.decide(Self.besideBusy, times: 2)
        #expect(windows.way == .sharing(1))
        let start = windows.now
        while windows.way == .sharing(1), windows.now < 1000 * Self.window { windows.decide(Self.shared) }
        #expect(windows.way == .spinning)
        #expect(windows.now - start >= HandOverChoice.firstPause)
        windows.decide(Self.alone, times: 1000)
        #expect(windows.way == .spinning)
    }

    @Test("ends sharing after its pause also where each board lives too briefly to be measured")
    func briefly() {
        var windows = Windows(2, preferred: 0)
        windows.decide(Self.besideBusy, times: 2)
        #expect(windows.way == .sharing(0))
        windows.decide(nil, times: Int(HandOverChoice.firstPause / Self.window) - 1)
        #expect(windows.way == .sharing(0))
        windows.decide(nil, times: Int(HandOverChoice.longestPause / Self.window))
        #expect(windows.way == .spinning)
    }

    @Test("is tried again ever more seldom while the other program goes on")
    func pauses() {
        var windows = Windows(2, preferred: 0)
        var pauses: [Int] = []
        for _ in 0..<8 {
            windows.decide(Self.besideBusy, times: 2)
            var count = 0
            while windows.way != .spinning {
                windows.decide(Self.shared)
                count += 1
            }
            pauses.append(count)
        }
        #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(pauses.last == Int(HandOverChoice.longestPause / Self.window))
    }

    @Test("moves to another processor where a program is tied to the shared one, but not round and round")
    func moves() {
        var windows = Windows(3, preferred: 0)
        windows.decide(Self.besideBusy, times: 2)
        var ways: [HandOverChoice.Way] = []
        for _ in 0..<5 {
            windows.decide(Self.measured(running: 50, waiting: 80))
            ways.append(windows.way)
        }
        #expect(ways == [.sharing(1), .sharing(2), .sharing(0), .sharing(0), .sharing(0)])
    }

    @Test("is sharing the board's own processor where benches are many, and spinning at once when they are not")
    func crowded() {
        var windows = Windows(2, preferred: 1)
        windows.decide(Self.shared, times: 1000, isCrowded: true)
        #expect(windows.way == .sharing(1))
        windows.decide(nil)
        #expect(windows.way == .spinning)
        var single = Windows(1, preferred: 0)
        single.decide(Self.shared, times: 1000)
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
        processors.remove(second.preferred)
        #expect(next.preferred == 1)
        // On a processor that is not known, or not allowed, it is the first.
        #expect(processors.add(from: -1).preferred == 0)
    }
}
