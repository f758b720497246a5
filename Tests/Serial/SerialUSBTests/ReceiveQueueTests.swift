import SerialPort
import Synchronization
import Testing

import SerialUSB

@Suite struct ReceiveQueueTests {
    @Test func bytesAreReadInOrderAndAtMostAsManyAsAskedFor() async throws {
        let queue = ReceiveQueue(name: "port")
        #expect(queue.append([1, 2, 3]))
        #expect(queue.append([4]))
        #expect(try await queue.read(upTo: 2, within: nil) == [1, 2])
        #expect(try await queue.read(upTo: 9, within: nil) == [3, 4])
        #expect(try await queue.read(upTo: 9, within: .zero) == [])
        #expect(try await queue.read(upTo: 0, within: nil) == [])
        #expect(try await queue.read(upTo: 9, within: .milliseconds(1)) == [])
    }

    @Test func aFullQueueStopsTheFlowUntilItIsRead() async throws {
        let queue = ReceiveQueue(name: "port")
        let calls = Atomic(0)
        queue.onRoom { calls.add(1, ordering: .relaxed) }
        #expect(queue.append([UInt8](repeating: 0, count: ReceiveQueue.limit - 1)))
        #expect(!queue.append([0]))
        #expect(calls.load(ordering: .relaxed) == 0)
        _ = try await queue.read(upTo: 1, within: nil)
        #expect(calls.load(ordering: .relaxed) == 1)
        _ = try await queue.read(upTo: 1, within: nil)
        #expect(calls.load(ordering: .relaxed) == 1)
        #expect(!queue.append([0, 0]))
        try queue.discard()
        #expect(calls.load(ordering: .relaxed) == 2)
    }

    @Test func theEndComesAfterTheBytes() async throws {
        let queue = ReceiveQueue(name: "port")
        _ = queue.append([1])
        queue.finish(.unplugged("port"))
        queue.finish(.closed("port"))
        _ = queue.append([2])
        #expect(try await queue.read(upTo: 9, within: nil) == [1])
        let error = await #expect(throws: SerialPortError.self) { try await queue.read(upTo: 9, within: .zero) }
        #expect(error?.description == "port: the device is gone; was it unplugged?")
    }

    @Test func aCancelledReadEndsAndTheNextGetsTheBytes() async throws {
        let queue = ReceiveQueue(name: "port")
        let task = Task { try await queue.read(upTo: 1, within: nil) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        _ = queue.append([9])
        #expect(try await queue.read(upTo: 1, within: nil) == [9])
    }
}
