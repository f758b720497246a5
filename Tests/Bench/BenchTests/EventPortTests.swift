import Bench
import BenchExecutor
import Foundation
import Synchronization
import Testing

@Suite("The port of events")
struct EventPortTests {
    private struct Numbered: Sendable, Equatable {
        var thread: Int
        var number: Int
    }

    @Test("delivers events of three threads once each, on the executor, in the order of their thread")
    func threads() throws {
        let executor = BenchExecutor(pace: .real)
        let port = EventPort<Numbered>(executor)
        let (threads, count) = (3, 300)
        let received = Mutex<[Numbered]>([])
        let isAlwaysOnExecutor = Mutex(true)
        let (all, allReceived) = AsyncStream<Void>.makeStream()
        try executor.run {
            port.setHandler { event in
                let isOnExecutor = executor.isIsolatingCurrentContext() == true
                isAlwaysOnExecutor.withLock { $0 = $0 && isOnExecutor }
                let total = received.withLock { events in
                    events.append(event)
                    return events.count
                }
                if total == threads * count { allReceived.finish() }
            }
            for thread in 0..<threads {
                Thread { for number in 0..<count { port.post(Numbered(thread: thread, number: number)) } }.start()
            }
            for await _ in all {}
        }
        let events = received.withLock { $0 }
        for thread in 0..<threads {
            #expect(events.filter { $0.thread == thread }.map(\.number) == Array(0..<count))
        }
        #expect(events.count == threads * count)
        #expect(isAlwaysOnExecutor.withLock { $0 })
    }

    @Test("holds the newest events for a handler that is set later, in order, and each for one handler")
    func beforeHandler() throws {
        let executor = BenchExecutor()
        let port = EventPort<Int>(executor)
        let first = Mutex<[Int]>([])
        let second = Mutex<[Int]>([])
        try executor.run {
            for number in 0..<EventPort<Int>.capacity + 5 { port.post(number) }
            port.setHandler { number in first.withLock { $0.append(number) } }
            #expect(first.withLock { $0 } == Array(5..<EventPort<Int>.capacity + 5))
            port.setHandler(nil)
            port.post(-1)
            port.setHandler { number in second.withLock { $0.append(number) } }
            port.post(-2)
        }
        #expect(first.withLock { $0.count } == EventPort<Int>.capacity)
        #expect(second.withLock { $0 } == [-1, -2])
    }

    @Test("delivers at once on the executor, after pending events of other threads")
    func order() throws {
        let executor = BenchExecutor()
        let port = EventPort<Int>(executor)
        let received = Mutex<[Int]>([])
        try executor.run {
            port.setHandler { number in
                received.withLock { $0.append(number) }
                // Events that a handler posts follow the pending ones.
                if number == 1 { port.post(3) }
            }
            port.post(0)
            #expect(received.withLock { $0 } == [0])
            let ended = DispatchSemaphore(value: 0)
            Thread {
                port.post(1)
                ended.signal()
            }.start()
            ended.wait()
            port.post(2)
            #expect(received.withLock { $0 } == [0], "the executor has not come to it")
            try await BenchClock(executor).sleep(for: .milliseconds(1))
        }
        #expect(received.withLock { $0 } == [0, 1, 2, 3])
    }
}
