import FlyingSocks

#if canImport(Darwin)
    /// Waits for sockets.
    package typealias LivePool = SocketPool<kQueue>
    package func makeLivePool() -> LivePool { .kQueue() }
#else
    /// Waits for sockets.
    package typealias LivePool = SocketPool<ePoll>
    package func makeLivePool() -> LivePool { .ePoll() }
#endif

extension SocketPool {
    /// Returns when the pool has done what it was doing. Must be awaited before a socket is closed.
    ///
    /// FlyingSocks (0.27.1) resumes whoever waits for a socket before it takes the socket out of its queue. If the socket is
    /// closed in between, the queue keeps its file descriptor's number as registered, and whoever has the next socket
    /// of that number waits for ever.
    package func settle() {}
}
