import Inbox
import Synchronization
import Testing

private enum Fault: Error {
    case unplugged
    case closed
    case secondReader
}

@Suite struct ByteInboxTests {
    @Test func bytesAreReadInOrderAndAtMostAsManyAsAskedFor() async throws {
        let inbox = ByteInbox<Fault>(secondReader: .secondReader)
        #expect(inbox.append([1, 2, 3]))
        #expect(inbox.append([4]))
        #expect(try await inbox.read(upTo: 2, within: nil) == [1, 2])
        #expect(try await inbox.read(upTo: 9, within: nil) == [3, 4])
        #expect(try await inbox.read(upTo: 9, within: .zero) == [])
        #expect(try await inbox.read(upTo: 0, within: nil) == [])
        #expect(try await inbox.read(upTo: 9, within: .milliseconds(1)) == [])
    }

    @Test func aFullInboxStopsTheFlowUntilItIsRead() async throws {
        let inbox = ByteInbox<Fault>(secondReader: .secondReader)
        let calls = Atomic(0)
        inbox.onRoom { calls.add(1, ordering: .relaxed) }
        #expect(inbox.append([UInt8](repeating: 0, count: ByteInbox<Fault>.limit - 1)))
        #expect(!inbox.append([0]))
        #expect(calls.load(ordering: .relaxed) == 0)
        _ = try await inbox.read(upTo: 1, within: nil)
        #expect(calls.load(ordering: .relaxed) == 1)
        _ = try await inbox.read(upTo: 1, within: nil)
        #expect(calls.load(ordering: .relaxed) == 1)
        #expect(!inbox.append([0, 0]))
        try inbox.discard()
        #expect(calls.load(ordering: .relaxed) == 2)
    }

    @Test func theEndComesAfterTheBytes() async throws {
        let inbox = ByteInbox<Fault>(secondReader: .secondReader)
        _ = inbox.append([1])
        inbox.finish(.unplugged)
        inbox.finish(.closed)
        _ = inbox.append([2])
        #expect(try await inbox.read(upTo: 9, within: nil) == [1])
        await #expect(throws: Fault.unplugged) { try await inbox.read(upTo: 9, within: .zero) }
    }

    @Test func aCancelledReadEndsAndTheNextGetsTheBytes() async throws {
        let inbox = ByteInbox<Fault>(secondReader: .secondReader)
        let task = Task { try await inbox.read(upTo: 1, within: nil) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        _ = inbox.append([9])
        #expect(try await inbox.read(upTo: 1, within: nil) == [9])
    }

    @Test func aSecondReaderIsRefusedAndTheFirstGetsTheBytes() async throws {
        let inbox = ByteInbox<Fault>(secondReader: .secondReader)
        await withTaskGroup(of: Result<[UInt8], any Error>.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    do { return .success(try await inbox.read(upTo: 1, within: nil)) } catch { return .failure(error) }
                }
            }
            let refused = await group.next()
            #expect(throws: Fault.secondReader) { try refused?.get() }
            inbox.append([9])
            let served = await group.next()
            #expect((try? served?.get()) == [9])
        }
    }
}
