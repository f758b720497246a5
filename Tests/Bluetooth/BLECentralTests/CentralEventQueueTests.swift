import BLECentral
import BLECore
import Synchronization
import Testing

@Suite("The queue of a central's events") struct CentralEventQueueTests {
    /// An executor whose jobs the test runs.
    private final class ManualExecutor: Sendable {
        private struct State {
            var isCurrent = false
            var closures: [@Sendable () -> Void] = []
        }

        private let state = Mutex(State())

        var isCurrent: Bool { state.withLock { $0.isCurrent } }
        var count: Int { state.withLock { $0.closures.count } }

        func add(_ closure: @escaping @Sendable () -> Void) {
            state.withLock { $0.closures.append(closure) }
        }

        /// Runs `body` as if on the executor.
        func perform(_ body: () -> Void) {
            state.withLock { $0.isCurrent = true }
            body()
            state.withLock { $0.isCurrent = false }
        }

        func runAll() {
            let closures = state.withLock { state in
                defer { state.closures = [] }
                return state.closures
            }
            perform { for closure in closures { closure() } }
        }
    }

    private let queue = CentralEventQueue()
    private let executor = ManualExecutor()
    private let log = EventLog()
    private let one = ConnectionID(rawValue: 1)
    private let two = ConnectionID(rawValue: 2)

    init() {
        let (executor, log) = (executor, log)
        queue.setHandler({ log.append($0) }, isOnExecutor: { executor.isCurrent }, run: { executor.add($0) })
    }

    private func notification(_ connection: ConnectionID, _ number: Int) -> CentralEvent {
        .notification(
            connection, AttributeID(rawValue: 1), value: [UInt8(number >> 8), UInt8(number & 0xFF)], isIndication: false
        )
    }

    private func advertisement(_ name: String) -> CentralEvent {
        .advertisement(
            Advertisement(
                peer: PeerID(opaque: name), data: AdvertisingData(structures: []), rssi: -50, isConnectable: true))
    }

    @Test("handles events posted on the executor before post returns")
    func handlesAtOnce() {
        queue.accept(one)
        executor.perform {
            queue.post(notification(one, 1))
            #expect(log.all == [notification(one, 1)])
        }
        #expect(executor.count == 0)
    }

    @Test("handles events of other threads on the executor, and later ones after them")
    func keepsOrder() {
        queue.accept(one)
        queue.post(notification(one, 1))
        queue.post(advertisement("a"))
        #expect(log.all == [] && executor.count == 1)
        executor.perform { queue.post(notification(one, 2)) }
        #expect(log.all == [])
        executor.runAll()
        #expect(log.all == [notification(one, 1), advertisement("a"), notification(one, 2)])
        queue.post(notification(one, 3))
        #expect(executor.count == 1)
        executor.runAll()
        #expect(log.all.last == notification(one, 3))
    }

    @Test("handles an event posted by a handler after the pending ones")
    func nested() {
        let (queue, executor, log) = (queue, executor, log)
        let (first, second, third) = (notification(one, 1), notification(one, 2), notification(one, 3))
        queue.setHandler(
            { event in
                log.append(event)
                if event == first { queue.post(third) }
            }, isOnExecutor: { executor.isCurrent }, run: { executor.add($0) })
        queue.accept(one)
        queue.post(first)
        queue.post(second)
        executor.runAll()
        #expect(log.all == [first, second, third])
    }

    @Test("holds a connection's events until it is accepted, but no others")
    func waitsForAcceptance() {
        queue.accept(two)
        executor.perform {
            queue.post(notification(one, 1))
            queue.post(.mtuChanged(one, 100))
            queue.post(notification(two, 2))
            queue.post(advertisement("a"))
            #expect(log.all == [notification(two, 2), advertisement("a")])
            queue.accept(one)
            #expect(log.all.dropFirst(2) == [notification(one, 1), .mtuChanged(one, 100)])
            queue.post(notification(one, 3))
            queue.accept(one)
            #expect(log.all.count == 5 && log.all.last == notification(one, 3))
        }
    }

    @Test("handles held events on the executor when another thread accepts")
    func acceptsElsewhere() {
        queue.post(notification(one, 1))
        queue.accept(one)
        #expect(log.all == [])
        executor.runAll()
        #expect(log.all == [notification(one, 1)])
    }

    @Test("handles one disconnection and no event after it", arguments: [true, false])
    func endsOnce(isAcceptedFirst: Bool) {
        executor.perform {
            if isAcceptedFirst { queue.accept(one) }
            queue.post(notification(one, 1))
            queue.post(.disconnected(one, reason: 0x13))
            queue.post(.disconnected(one, reason: 0x08))
            queue.post(notification(one, 2))
            queue.accept(one)
            queue.accept(one)
            queue.post(notification(one, 3))
        }
        #expect(log.all == [notification(one, 1), .disconnected(one, reason: 0x13)])
        #expect(queue.droppedEvents == 3)
    }

    @Test("holds the newest events of an unaccepted connection, and drops notifications first")
    func boundsEvents() {
        let limit = CentralEventQueue.heldEventLimit
        executor.perform {
            queue.post(.mtuChanged(one, 100))
            for number in 0..<limit + 100 { queue.post(notification(one, number)) }
            queue.post(.disconnected(one, reason: 0x13))
            #expect(queue.droppedEvents == 102)
            queue.accept(one)
        }
        #expect(log.all.count == limit)
        #expect(log.all.first == .mtuChanged(one, 100))
        #expect(log.all[1] == notification(one, 102))
        #expect(log.all.last == .disconnected(one, reason: 0x13))
    }

    @Test("bounds the held events of a connection without notifications")
    func boundsOtherEvents() {
        for mtu in 0..<CentralEventQueue.heldEventLimit + 1 { queue.post(.mtuChanged(one, mtu)) }
        executor.perform { queue.accept(one) }
        #expect(log.all.count == CentralEventQueue.heldEventLimit && log.all.first == .mtuChanged(one, 1))
    }

    @Test("drops unaccepted connections: ended ones first, then the oldest")
    func boundsConnections() {
        let limit = CentralEventQueue.heldConnectionLimit
        let connections = (1...UInt32(limit + 2)).map { ConnectionID(rawValue: $0) }
        executor.perform {
            for connection in connections[..<limit] { queue.post(notification(connection, 1)) }
            queue.post(.disconnected(connections[3], reason: 0x08))
            queue.post(notification(connections[limit], 1))
            #expect(queue.droppedEvents == 2)
            queue.post(notification(connections[limit + 1], 1))
            #expect(queue.droppedEvents == 3)
            for connection in connections { queue.accept(connection) }
        }
        let kept = connections.filter { $0 != connections[0] && $0 != connections[3] }
        #expect(log.all == kept.map { notification($0, 1) })
    }

    @Test("keeps all events and their order while threads post and a connection is accepted")
    func threads() async {
        let (queue, executor, log) = (queue, executor, log)
        let count = 200
        await withTaskGroup(of: Void.self) { group in
            for thread in 1...UInt32(3) {
                group.addTask {
                    for number in 0..<count {
                        queue.post(
                            .notification(
                                ConnectionID(rawValue: thread), AttributeID(rawValue: 1), value: [UInt8(number)],
                                isIndication: false))
                        if number == count / 2 { queue.accept(ConnectionID(rawValue: thread)) }
                    }
                }
            }
        }
        executor.runAll()
        #expect(log.all.count == 3 * count)
        for thread in 1...UInt32(3) {
            let numbers = log.all.compactMap { event -> UInt8? in
                guard case .notification(ConnectionID(rawValue: thread), _, let value, _) = event else { return nil }
                return value[0]
            }
            #expect(numbers == (0..<count).map { UInt8($0) })
        }
    }
}
