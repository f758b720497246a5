import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The file descriptors that an executor's thread waits for, with poll(2).
final class DescriptorSet: Sendable {
    struct Entry {
        let number: UInt64
        let descriptor: Int32
        let events: Int16
        let action: @Sendable () -> Void
    }

    private struct State {
        var entries: [Entry] = []
        var lastNumber: UInt64 = 0
        /// The pipe that interrupts a wait: a byte written to `output` wakes the wait on `input`.
        var pipe: (input: Int32, output: Int32)?
    }

    private let state = Mutex(State())
    private let count = Atomic(0)

    deinit {
        guard let (input, output) = state.withLock({ $0.pipe }) else { return }
        _ = close(input)
        _ = close(output)
    }

    /// True if no descriptor is watched. From any thread.
    var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

    /// Adds a descriptor; returns the number of the entry. From any thread.
    func add(_ descriptor: Int32, isOutput: Bool, _ action: @escaping @Sendable () -> Void) -> UInt64 {
        state.withLock { state in
            if state.pipe == nil { state.pipe = Self.makePipe() }
            state.lastNumber += 1
            state.entries.append(
                Entry(
                    number: state.lastNumber, descriptor: descriptor,
                    events: Int16(isOutput ? POLLOUT : POLLIN), action: action))
            count.store(state.entries.count, ordering: .releasing)
            return state.lastNumber
        }
    }

    /// Removes an entry, if it exists. From any thread.
    func remove(_ number: UInt64) {
        // Released outside the lock: objects that end with the entry may remove others.
        let entry = state.withLock { state -> Entry? in
            guard let index = state.entries.firstIndex(where: { $0.number == number }) else { return nil }
            defer { count.store(state.entries.count, ordering: .releasing) }
            return state.entries.remove(at: index)
        }
        _ = consume entry
    }

    private static func makePipe() -> (input: Int32, output: Int32) {
        var ends: (Int32, Int32) = (-1, -1)
        let status = withUnsafeMutableBytes(of: &ends) { pipe($0.bindMemory(to: Int32.self).baseAddress) }
        precondition(status == 0, "no pipe for an executor: \(String(cString: strerror(errno)))")
        for end in [ends.0, ends.1] {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        return (ends.0, ends.1)
    }

    /// Ends the current wait, or the next one. From any thread.
    func interrupt() {
        guard let output = state.withLock({ $0.pipe?.output }) else { return }
        var byte: UInt8 = 1
        // If the pipe is full, it interrupts as well.
        _ = write(output, &byte, 1)
    }

    /// Waits until a descriptor is ready, ``interrupt()`` is called or the time has passed (`nil`: no limit); then
    /// calls `onWakeUp` and the actions of the ready descriptors. On the executor's thread only.
    func wait(nanoseconds: Int64?, onWakeUp: () -> Void) {
        let capacity = state.withLock { $0.entries.count } + 1
        withUnsafeTemporaryAllocation(of: pollfd.self, capacity: capacity) { requests in
            withUnsafeTemporaryAllocation(of: UInt64.self, capacity: capacity) { numbers in
                let count = state.withLock { state in
                    requests.initializeElement(
                        at: 0, to: pollfd(fd: state.pipe?.input ?? -1, events: Int16(POLLIN), revents: 0))
                    numbers.initializeElement(at: 0, to: 0)
                    var count = 1
                    for entry in state.entries.prefix(capacity - 1) {
                        requests.initializeElement(
                            at: count, to: pollfd(fd: entry.descriptor, events: entry.events, revents: 0))
                        numbers.initializeElement(at: count, to: entry.number)
                        count += 1
                    }
                    return count
                }
                // In whole milliseconds, rounded up so as not to wake too early.
                let milliseconds = nanoseconds.map { Int32(clamping: ($0 + 999_999) / 1_000_000) } ?? -1
                let ready = poll(requests.baseAddress, nfds_t(count), milliseconds)
                onWakeUp()
                guard ready > 0 else { return }
                if requests[0].revents != 0 { drain(requests[0].fd) }
                // From last to first: poll(2) checks from first to last.
                var index = count - 1
                while index > 0 {
                    if requests[index].revents != 0 { perform(numbers[index]) }
                    index -= 1
                }
            }
        }
    }

    private func drain(_ input: Int32) {
        withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
            while read(input, buffer.baseAddress, buffer.count) == buffer.count {}
        }
    }

    /// Performs an entry's action, unless an earlier one has removed it.
    private func perform(_ number: UInt64) {
        let action = state.withLock { state in state.entries.first { $0.number == number }?.action }
        action?()
    }
}
