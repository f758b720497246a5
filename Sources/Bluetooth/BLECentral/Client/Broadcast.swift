/// Sends each value to several listeners, each of which has a stream of its own.
package struct Broadcast<Element: Sendable> {
    private var listeners: [AsyncStream<Element>.Continuation] = []

    /// Without listeners.
    package init() {}

    /// A stream that keeps the newest `count` values that its listener has not taken yet, beginning with `first`.
    package mutating func stream(keeping count: Int, first: Element? = nil) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .bufferingNewest(count))
        if let first { continuation.yield(first) }
        listeners.append(continuation)
        return stream
    }

    /// Sends a value.
    package mutating func send(_ value: Element) {
        // Those who went away are known by their answer.
        listeners.removeAll { listener in
            if case .terminated = listener.yield(value) { true } else { false }
        }
    }

    /// Ends the streams.
    package mutating func finish() {
        for listener in listeners { listener.finish() }
        listeners = []
    }
}
