import BLECentral
import BenchExecutor
import BenchModel
import MonotonicTime

extension BenchSession {
    /// Reports that follow faster belong to one advertising event (Core 5.4, Vol 6 Part B 4.4.2.2: at least 20 ms).
    private static let eventTime = Duration.milliseconds(10)

    /// Waits for an advertisement that meets conditions; others are skipped.
    ///
    /// - Parameter board: the advertiser, as far as the addresses are known; `nil`: any.
    public func expectAdvertisement(
        _ match: AdvertisementMatch, from board: BoardID?, by central: CentralID, within timeout: Duration
    ) async throws(BenchFailure) {
        let limit = TimeLimit(timeout, bench.timeFactor)
        let words = match.words + match.services.map { "the service \(name(of: $0))" }
        let expected =
            "an advertisement\(board.map { boards[$0.index].ofBoard } ?? "") with "
            + "\(words.joined(separator: " and ")) \(limit)"
        for match in match.matches { _ = try prepared(match) }
        let sender = board.map { part($0) }
        var times: [PeerID: MonotonicInstant] = [:]
        var count = 0
        var last: String?
        let (executor, patterns) = (executor, patterns)
        let (found, heard) = try await search(
            central, for: limit.duration, expected, reportsAll: match.interval != nil
        ) { advertisement in
            if let address = advertisement.peer.address, let sender, sender.bluetoothAddress != nil,
                !sender.advertises(from: address)
            {
                return false
            }
            guard match.names(advertisement) else { return false }
            count += 1
            if let different = match.difference(advertisement, patterns) {
                last = different
                return false
            }
            guard let interval = match.interval else { return true }
            let now = executor.now
            guard let former = times[advertisement.peer] else {
                times[advertisement.peer] = now
                return false
            }
            let time = former.duration(to: now)
            if time < Self.eventTime { return false }
            times[advertisement.peer] = now
            last = "it came \(time.brief) after the one before"
            return interval.milliseconds.contains(time / .milliseconds(1))
        }
        guard found == nil else { return }
        if let crash { throw BenchFailure(crash.cause, expected: expected, got: crash.got) }
        if let last {
            throw BenchFailure(
                .assertion, expected: expected, got: count == 1 ? last : "\(count) advertisements; of the last, \(last)"
            )
        }
        throw BenchFailure(
            .timedOut, expected: expected, got: count > 0 ? "\(count) advertisement\(count == 1 ? "" : "s")" : heard)
    }
}
