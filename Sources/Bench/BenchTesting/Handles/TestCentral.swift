public import BLECore
import Bench
public import Testing

/// A central of a test's bench. It acts like a phone, and has one link at a time.
public struct TestCentral: Sendable {
    let bench: TestBench
    let id: CentralID

    /// Scans for a peripheral, connects to it and discovers its services.
    ///
    /// - Parameters:
    ///   - services: services, all of which the peripheral advertises.
    ///   - name: the peripheral's local name; `nil`: any.
    ///   - board: the board that advertises, by its address; `nil`: any device.
    ///   - timeout: time limit of the whole operation.
    ///   - discovers: true to discover the services; false to return at Connection Complete, with the attributes that
    ///     any central discovered last.
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

    /// Expects to receive an advertisement of such a peripheral.
    public func scan(
        advertising services: BLEUUID..., name: String? = nil, within timeout: Duration = .seconds(5),
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let filter = AdvertisementFilter(services: services, name: name)
        try await bench.call(sourceLocation) { session throws(BenchFailure) in
            try await session.scan(for: filter, by: id, within: timeout)
        }
    }

    /// Expects to receive no advertisement of such a peripheral for all of `duration`.
    public func expectNoAdvertisement(
        of services: BLEUUID..., name: String? = nil, for duration: Duration,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let filter = AdvertisementFilter(services: services, name: name)
        try await bench.call(sourceLocation) { session throws(BenchFailure) in
            try await session.scan(for: filter, by: id, isExpected: false, within: duration)
        }
    }

    /// The central's identity address.
    public func address(sourceLocation: SourceLocation = #_sourceLocation) async throws -> DeviceAddress {
        try await bench.call(sourceLocation) { session throws(BenchFailure) in try await session.identity(of: id) }
    }

    /// The number of the central's bonds.
    public func bondCount(sourceLocation: SourceLocation = #_sourceLocation) async throws -> Int {
        try await bench.call(sourceLocation) { session throws(BenchFailure) in try await session.bondCount(of: id) }
    }

    /// Deletes all bonds of the central without informing the board.
    public func forgetBonds(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await bench.call(sourceLocation) { session throws(BenchFailure) in try await session.forgetBonds(of: id) }
    }
}
