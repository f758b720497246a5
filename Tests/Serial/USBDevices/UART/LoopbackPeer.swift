/// A wire from TXD to RXD.
public struct LoopbackPeer: UARTPeer {
    private let bytes: AsyncStream<[UInt8]>
    private let continuation: AsyncStream<[UInt8]>.Continuation

    /// A wire.
    public init() {
        (bytes, continuation) = AsyncStream.makeStream()
    }

    public func perform(_ effect: ChipEffect) async throws {
        if case .transmit(let bytes) = effect { continuation.yield(bytes) }
    }

    public func read(at settings: @Sendable () async -> UARTSettings) async throws -> [UInt8] {
        for await bytes in bytes { return bytes }
        throw CancellationError()
    }

    public func disconnected() async {}
}
