import BLECore

/// One listener to advertisements, with its own filter.
struct Sighter {
    let filter: ScanFilter
    let continuation: AsyncThrowingStream<Advertisement, any Error>.Continuation
    /// What was reported last, by peer; of more than ``Central/knownPeerLimit`` nothing is remembered, since addresses change
    /// without end.
    private var reported: [PeerID: Advertisement] = [:]

    init(_ filter: ScanFilter, _ continuation: AsyncThrowingStream<Advertisement, any Error>.Continuation) {
        self.filter = filter
        self.continuation = continuation
    }

    /// Reports an advertisement that the filter selects; returns whether one was dropped.
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
    /// Whether it lets an advertisement pass.
    func selects(_ advertisement: Advertisement) -> Bool {
        if let minimumRSSI, advertisement.rssi < minimumRSSI || advertisement.rssi == Advertisement.unknownRSSI {
            return false
        }
        if let name, advertisement.data.localName != name { return false }
        return services.isEmpty || services.contains(where: advertisement.data.serviceUUIDs.contains)
    }

    /// A filter that lets everything pass that one of `filters` does; `nil` for none of them.
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
