/// Tasks that wait until something has changed; a cancelled one waits no longer.
struct WaitList {
    private var waiters: [AsyncStream<Never>.Continuation] = []

    /// A stream that ends at the next change.
    mutating func join() -> AsyncStream<Never> {
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        waiters.append(continuation)
        return stream
    }

    /// Lets all go on.
    mutating func release() {
        for waiter in waiters { waiter.finish() }
        waiters.removeAll(keepingCapacity: true)
    }
}
