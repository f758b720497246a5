/// A wire from TXD to RXD.
package struct LoopbackPeer: UARTPeer {
    private let bytes: AsyncStream<[UInt8]>
    private let continuation: AsyncStream<[UInt8]>.Continuation

    /// A wire.
    package init() {
        (bytes, continuation) = AsyncStream.makeStream()
    }

    package func perform(_ effect: ChipEffect) async throws {
        if case .transmit(let bytes) = effect { continuation.yield(bytes) }
    }

    package func read(at settings: @Sendable () async -> UARTSettings) async throws -> [UInt8] {
        for await bytes in bytes { return bytes }
        throw CancellationError()
    }

    package func disconnected() async {}
}
