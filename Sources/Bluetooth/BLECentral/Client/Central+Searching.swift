import BLECore
import BenchExecutor
import MonotonicTime

extension Central {
    /// The maximum number of advertisements buffered for a listener; beyond it the oldest are dropped.
    public static let sightingBufferSize = 1000

    /// The advertisements that `filter` accepts. Scanning lasts until the stream's listener ends or its task is
    /// cancelled. Several listeners are allowed, each with its own filter.
    ///
    /// - Parameters:
    ///   - time: the duration of the stream; `nil`: no limit.
    ///   - count: the maximum number of buffered advertisements; beyond it the oldest are dropped: ``droppedCount``.
    ///
    /// The stream ends with a ``CentralError`` when the stack fails, and without one when the central is closed.
    ///
    /// - Throws: when the stack cannot scan.
    public func sightings(
        _ filter: ScanFilter = ScanFilter(), for time: Duration? = nil, keeping count: Int = Central.sightingBufferSize
    ) async throws(CentralError) -> AsyncThrowingStream<Advertisement, any Error> {
        let number = nextNumber()
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: Advertisement.self, bufferingPolicy: .bufferingNewest(count))
        searches[number] = Sighter(filter, continuation)
        hasNewListener = true
        if let error = await updateScan() {
            searches[number] = nil
            throw error
        }
        let executor = executor
        if let time { executor.schedule(at: executor.now.advanced(by: time)) { continuation.finish() } }
        continuation.onTermination = { [weak self] _ in
            executor.post { [weak self] in self?.assumeIsolated { $0.endSearch(number) } }
        }
        return stream
    }

    /// The peers whose advertisements were received, by identifier; at most ``knownPeerLimit``.
    public var knownPeers: [PeerID: KnownPeer] { known }

    /// The known peer with this complete or shortened local name; the most recently received one if there are several.
    public func knownPeer(named name: String) -> PeerID? {
        known.filter { $0.value.name == name }.max { $0.value.time < $1.value.time }?.key
    }

    /// Waits for an advertisement that `filter` selects and for which `isWanted` returns true.
    ///
    /// - Throws: `timedOut` when `timeout` passes first, or the calling task is cancelled.
    public func firstSighting(
        _ filter: ScanFilter, within timeout: Duration,
        where isWanted: @escaping @Sendable (Advertisement) -> Bool = { _ in true }
    ) async throws(CentralError) -> Advertisement {
        let sightings = try await sightings(filter)
        return try await timed(timeout, "search: expected a peer that \(filter.wanted) in time, heard none") {
            () async throws(CentralError) in
            do {
                for try await sighting in sightings where isWanted(sighting) { return sighting }
            } catch {
                throw (error as? CentralError) ?? CentralError(.timedOut, "search: \(error)")
            }
            throw CentralError(.timedOut, "search: it was cancelled, or the central was closed")
        }
    }

    /// Ends all searches; returns when the stack has stopped scanning.
    public func stopSearching() async throws(CentralError) {
        let ended = searches.values
        searches = [:]
        for search in ended { search.continuation.finish() }
        if let error = await updateScan() { throw error }
    }

    /// Scans for observers, regardless of searches, until ``stopScanning()``.
    package func startScanning(_ filter: ScanFilter) async throws(CentralError) {
        try await backend.startScanning(filter)
        scanned = filter
    }

    /// Ends the scan of ``startScanning(_:)``.
    package func stopScanning() async throws(CentralError) {
        try await backend.stopScanning()
        scanned = nil
    }

    private func endSearch(_ number: Int) {
        guard searches.removeValue(forKey: number) != nil else { return }
        Task(executorPreference: executor) { _ = await self.updateScan() }
    }

    func hear(_ advertisement: Advertisement) {
        let name = advertisement.data.localName ?? known[advertisement.peer]?.name
        if known[advertisement.peer] == nil, known.count == Self.knownPeerLimit,
            let oldest = known.min(by: { $0.value.time < $1.value.time })?.key
        {
            known[oldest] = nil
        }
        known[advertisement.peer] = KnownPeer(advertisement: advertisement, name: name, time: executor.now)
        for number in searches.keys.sorted() where searches[number]?.hear(advertisement) == true { droppedCount += 1 }
    }

    /// Adapts the stack's scan to the listeners' filters, one change at a time; returns the error of a failure.
    private func updateScan() async -> CentralError? {
        let former = scanUpdate
        let update = Task(executorPreference: executor) { () -> CentralError? in
            _ = await former?.value
            return await self.applyScan()
        }
        scanUpdate = update
        return await update.value
    }

    private func applyScan() async -> CentralError? {
        let wanted = ScanFilter.union(searches.keys.sorted().compactMap { searches[$0]?.filter })
        // A stack may report a peer only once per scan, so a new listener requires a restart.
        guard wanted != scanned || (hasNewListener && wanted != nil) else { return nil }
        hasNewListener = false
        do throws(CentralError) {
            if let wanted {
                try await backend.startScanning(wanted)
            } else {
                try await backend.stopScanning()
            }
            scanned = wanted
            return nil
        } catch {
            return error
        }
    }
}

extension ScanFilter {
    /// The criteria as text, after "a peer that".
    fileprivate var wanted: String {
        var parts: [String] = []
        if let name { parts.append("has the name '\(name)'") }
        if !services.isEmpty { parts.append("advertises \(services.map { "\($0)" }.joined(separator: " or "))") }
        if let minimumRSSI { parts.append("is heard with at least \(minimumRSSI) dBm") }
        return parts.isEmpty ? "advertises" : parts.joined(separator: " and ")
    }
}
