public import BLEPackets
public import BenchExecutor
public import SerialPort
import Synchronization

/// A controller behind a stream of bytes (UART transport layer, "H4": Core 5.4, Vol 4 Part A).
///
/// The transport's tasks run on the bench's executor, which also delivers packets as events. The stream ends
/// permanently when the connection is lost, or when its bytes are not valid H4: without the length of a packet the next
/// packet cannot be found.
public final class H4Transport: HCITransport {
    /// The maximum number of bytes read at once.
    private static let chunk = 16_384

    private let port: any SerialPort
    private let receiving: Receiving
    private let outgoing: AsyncStream<[UInt8]>.Continuation
    private let reader: Task<Void, Never>
    private let writer: Task<Void, Never>

    /// A controller at the other end of `port`, which the transport closes when it ends.
    public init(_ port: any SerialPort, on executor: BenchExecutor) {
        self.port = port
        let receiving = Receiving(executor)
        self.receiving = receiving
        let (packets, outgoing) = AsyncStream.makeStream(of: [UInt8].self)
        self.outgoing = outgoing
        reader = Task(executorPreference: executor) {
            await receiving.finish(Self.readAll(port, into: receiving))
            outgoing.finish()
            await port.close()
        }
        writer = Task(executorPreference: executor) {
            for await packet in packets {
                do {
                    try await port.write(packet)
                } catch {
                    return receiving.finish(Self.text(error))
                }
            }
        }
    }

    deinit {
        // The reader closes the port.
        reader.cancel()
        writer.cancel()
        outgoing.finish()
    }

    /// Sends a packet, in the order of the calls.
    public func send(_ packet: HCIPacket) {
        outgoing.yield(packet.h4)
    }

    /// Sets the receiver of packets.
    public func setReceiver(_ receiver: @escaping @Sendable (HCIPacket) -> Void) {
        receiving.setReceiver(receiver)
    }

    /// Sets the handler of the stream's end.
    public func setLossHandler(_ handler: @escaping @Sendable (String) -> Void) {
        receiving.setLossHandler(handler)
    }

    /// Ends the stream and closes the port; the loss handler is called.
    public func close() async {
        reader.cancel()
        await reader.value
    }

    /// Reads until the stream ends; returns why.
    private static func readAll(_ port: any SerialPort, into receiving: Receiving) async -> String {
        var parser = H4Parser()
        while true {
            var packets: [HCIPacket] = []
            do {
                try parser.parse(try await port.read(upTo: chunk, within: nil), into: &packets)
            } catch let error as H4Parser.IllegalType {
                await receiving.deliver(packets)
                return error.description
            } catch {
                return text(error)
            }
            await receiving.deliver(packets)
        }
    }

    private static func text(_ error: any Error) -> String {
        switch error {
        case is CancellationError: "closed"
        case let error as SerialPortError: error.detail
        default: "\(error)"
        }
    }
}

/// The receiving direction: packets that arrive before a receiver is set are queued.
private final class Receiving: Sendable {
    private struct State {
        var kept: [HCIPacket] = []
        var loss: String?
        var receiver: (@Sendable (HCIPacket) -> Void)?
        var lossHandler: (@Sendable (String) -> Void)?
        /// True if the handler has been called, or its call is scheduled.
        var isLossReported = false
    }

    private let executor: BenchExecutor
    private let state = Mutex(State())

    init(_ executor: BenchExecutor) {
        self.executor = executor
    }

    func setReceiver(_ receiver: @escaping @Sendable (HCIPacket) -> Void) {
        state.withLock { $0.receiver = receiver }
        executor.post { self.drain() }
    }

    func setLossHandler(_ handler: @escaping @Sendable (String) -> Void) {
        state.withLock { $0.lossHandler = handler }
        executor.post { self.drain() }
    }

    /// Delivers packets in an event of the executor; returns after this event, so that a controller that sends
    /// continuously does not fill the memory.
    func deliver(_ packets: [HCIPacket]) async {
        guard !packets.isEmpty else { return }
        state.withLock { $0.kept += packets }
        await withCheckedContinuation { continuation in
            executor.post {
                self.drain()
                continuation.resume()
            }
        }
    }

    /// Ends the stream; only the first reason is stored and reported.
    func finish(_ reason: String) {
        state.withLock { if $0.loss == nil { $0.loss = reason } }
        executor.post { self.drain() }
    }

    private func drain() {
        let (receiver, packets) = state.withLock { state in
            defer { if state.receiver != nil { state.kept = [] } }
            return (state.receiver, state.receiver == nil ? [] : state.kept)
        }
        for packet in packets { receiver?(packet) }
        let (handler, loss) = state.withLock { state -> ((@Sendable (String) -> Void)?, String?) in
            guard state.kept.isEmpty || state.receiver == nil, !state.isLossReported, let loss = state.loss,
                let handler = state.lossHandler
            else { return (nil, nil) }
            state.isLossReported = true
            return (handler, loss)
        }
        if let loss { handler?(loss) }
    }
}
