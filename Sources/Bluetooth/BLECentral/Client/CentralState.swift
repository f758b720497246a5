import BLECore
public import MonotonicTime

/// The state of a central's Bluetooth stack.
public enum CentralState: String, Sendable, Codable, CaseIterable {
    /// Not powered on yet by ``Central/powerOn()``, or closed.
    case unknown
    /// The stack's service has ended; the next ``Central/powerOn()`` may succeed.
    case resetting
    /// No stack or no adapter exists.
    case unsupported
    /// This user may not use the stack.
    case unauthorized
    /// The adapter is switched off, or blocked.
    case poweredOff
    /// The stack is ready for use.
    case poweredOn

    /// The state after a failure of the stack; `nil` if the failure does not determine it.
    init?(_ failure: CentralError) {
        switch failure.absence {
        case .bus, .service: self = .resetting
        case .adapter: self = .unsupported
        case .permission: self = .unauthorized
        case .power, .unblocked: self = .poweredOff
        case nil where failure.code == .unavailable: self = .resetting
        case nil: return nil
        }
    }
}

/// The data of a peer whose advertisements a central has received.
public struct KnownPeer: Hashable, Sendable {
    /// The newest advertisement.
    public var advertisement: Advertisement
    /// The name in the newest advertisement that had one.
    public var name: String?
    /// When that advertisement was received, by the clock of the central's executor.
    public var time: MonotonicInstant
}

extension Advertisement {
    /// The value of ``rssi`` if the controller does not know the strength (Core 5.4, Vol 4 Part E 7.7.65.2).
    public static var unknownRSSI: Int { 127 }

    /// The strength in dBm; `nil` if it is not known.
    public var knownRSSI: Int? { rssi == Self.unknownRSSI ? nil : rssi }
}

/// One listener to advertisements, with its own filter.
struct Sighter {
    let filter: ScanFilter
    let continuation: AsyncThrowingStream<Advertisement, any Error>.Continuation
    /// The last reported advertisement of each peer, for at most ``Central/knownPeerLimit`` peers, since private
    /// addresses change continually.
    private var reported: [PeerID: Advertisement] = [:]

    init(_ filter: ScanFilter, _ continuation: AsyncThrowingStream<Advertisement, any Error>.Continuation) {
        self.filter = filter
        self.continuation = continuation
    }

    /// Reports an advertisement if the filter selects it; returns true if the buffer dropped an advertisement.
    mutating func hear(_ advertisement: Advertisement) -> Bool {
        guard filter.selects(advertisement) else { return false }
        if !filter.allowsDuplicates {
            if let former = reported[advertisement.peer], former.data == advertisement.data,
                former.isConnectable == advertisement.isConnectable
            {
                return false
            }
            if reported.count == Central.knownPeerLimit { reported.removeAll(keepingCapacity: true) }
            reported[advertisement.peer] = advertisement
        }
        return if case .dropped = continuation.yield(advertisement) { true } else { false }
    }
}

extension ScanFilter {
    /// True if an advertisement passes the filter.
    func selects(_ advertisement: Advertisement) -> Bool {
        if let minimumRSSI, advertisement.rssi < minimumRSSI || advertisement.rssi == Advertisement.unknownRSSI {
            return false
        }
        if let name, advertisement.data.localName != name { return false }
        return services.isEmpty || services.contains(where: advertisement.data.serviceUUIDs.contains)
    }

    /// A filter that accepts each advertisement that at least one of `filters` accepts; `nil` without filters.
    static func union(_ filters: [ScanFilter]) -> ScanFilter? {
        guard let first = filters.first else { return nil }
        guard filters.contains(where: { $0 != first }) else { return first }
        return ScanFilter(
            services: filters.contains { $0.services.isEmpty }
                ? [] : filters.flatMap(\.services).reduce(into: []) { if !$0.contains($1) { $0.append($1) } },
            isActive: filters.contains(where: \.isActive),
            allowsDuplicates: true)
    }
}

/// Sends each value to several listeners, each with its own stream.
package struct Broadcast<Element: Sendable> {
    private var listeners: [AsyncStream<Element>.Continuation] = []

    /// Without listeners.
    package init() {}

    /// A stream that begins with `first`, and buffers the newest `count` values for its listener.
    package mutating func stream(keeping count: Int, first: Element? = nil) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .bufferingNewest(count))
        if let first { continuation.yield(first) }
        listeners.append(continuation)
        return stream
    }

    /// Sends a value.
    package mutating func send(_ value: Element) {
        // Removes the listeners whose stream has terminated.
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
