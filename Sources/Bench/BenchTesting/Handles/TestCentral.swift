public import BLECore
import Bench
public import Testing

/// A central of a test's bench. It does what a phone does, and has one link at a time.
public struct TestCentral: Sendable {
    let bench: TestBench
    let id: CentralID

    /// Scans for a peripheral, connects to it and discovers its services.
    ///
    /// - Parameters:
    ///   - services: services that it advertises, all of them.
    ///   - name: its local name; `nil`: any.
    ///   - board: the board that it is, by its address; `nil`: anybody.
    ///   - timeout: for all of it.
    ///   - discovers: whether to discover the services; else the call returns at Connection Complete, with the
    ///     attributes that any central discovered last.
    public func connect(
        advertising services: BLEUUID..., name: String? = nil, board: TestBoard? = nil,
        within timeout: Duration = .seconds(5), discovers: Bool = true,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> TestLink {
        let filter = AdvertisementFilter(services: services, name: name, board: board?.id)
        try await bench.call(sourceLocation) { session throws(BenchFailure) in
            try await session.connect(id, to: filter, within: timeout, discovers: discovers)
        }
        return TestLink(bench: bench, id: id)
    }

    /// Expects to hear such a peripheral.
    public func scan(
        advertising services: BLEUUID..., name: String? = nil, within timeout: Duration = .seconds(5),
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let filter = AdvertisementFilter(services: services, name: name)
        try await bench.call(sourceLocation) { session throws(BenchFailure) in
            try await session.scan(for: filter, by: id, within: timeout)
        }
    }

    /// Expects not to hear such a peripheral for all of `duration`.
    public func expectNoAdvertisement(
        of services: BLEUUID..., name: String? = nil, for duration: Duration,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let filter = AdvertisementFilter(services: services, name: name)
        try await bench.call(sourceLocation) { session throws(BenchFailure) in
            try await session.scan(for: filter, by: id, isExpected: false, within: duration)
        }
    }

    /// Its identity address.
    public func address(sourceLocation: SourceLocation = #_sourceLocation) async throws -> DeviceAddress {
        try await bench.call(sourceLocation) { session throws(BenchFailure) in try await session.identity(of: id) }
    }

    /// How many peers it has bonds with.
    public func bondCount(sourceLocation: SourceLocation = #_sourceLocation) async throws -> Int {
        try await bench.call(sourceLocation) { session throws(BenchFailure) in try await session.bondCount(of: id) }
    }

    /// Deletes all its bonds; the board is not informed.
    public func forgetBonds(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await bench.call(sourceLocation) { session throws(BenchFailure) in try await session.forgetBonds(of: id) }
    }
}
