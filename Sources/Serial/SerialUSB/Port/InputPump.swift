import Dispatch
import Synchronization

/// Keeps several transfers from the device in flight, and passes their bytes on in order.
final class InputPump: Sendable {
    /// Transfers in flight. While one is handled, the others keep receiving: at 3 Mbaud one lasts 13 ms.
    private static let depth = 8
    /// The maximum number of bytes in a transfer.
    private static let longest = 4096
    /// Transfer errors in a row after which the device counts as gone. Noise on the cable causes single ones; a removed
    /// device causes them until the system has noticed.
    private static let errorLimit = 10
    private static let errorPause = DispatchTimeInterval.milliseconds(10)

    private struct State {
        var parked: [USBTransfer] = []
        var hasEnded = false
        var errors = 0

        mutating func countError() -> Int {
            errors += 1
            return errors
        }
    }

    private let handle: USBHandle
    private let endpoint: USBEndpoint
    private let state = Mutex(State())
    /// Receives bytes; the result `false` stops the flow until ``resume()``.
    private let deliver: @Sendable ([UInt8]) -> Bool
    private let ended: @Sendable (USBFault) -> Void

    init(
        _ handle: USBHandle, endpoint: USBEndpoint, deliver: @escaping @Sendable ([UInt8]) -> Bool,
        ended: @escaping @Sendable (USBFault) -> Void
    ) {
        self.handle = handle
        self.endpoint = endpoint
        self.deliver = deliver
        self.ended = ended
    }

    /// Puts the transfers in flight.
    func start() throws(USBFault) {
        // Whole packets: bytes of a packet beyond the end of a transfer are an error.
        let length = Self.longest / endpoint.packetSize * endpoint.packetSize
        for _ in 0..<Self.depth {
            let transfer = try USBTransfer.receiving(length, from: endpoint.address, handle) { [weak self] in
                self?.completed($0, $1)
            }
            try handle.submit(transfer)
        }
    }

    /// Lets the bytes flow again.
    func resume() {
        let parked = state.withLock { state in
            defer { state.parked = [] }
            return state.parked
        }
        for transfer in parked { submit(transfer) }
    }

    private func completed(_ transfer: USBTransfer, _ outcome: USBTransfer.Outcome) {
        let hasRoom = outcome.bytes.isEmpty || deliver(outcome.bytes)
        if let fault = outcome.fault {
            guard fault.kind == .other, state.withLock({ $0.countError() }) <= Self.errorLimit else {
                return end(fault.kind == .other ? USBFault(.gone, fault.text) : fault)
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + Self.errorPause) { self.submit(transfer) }
            return
        }
        let isParked = state.withLock { state in
            state.errors = 0
            if !hasRoom || !state.parked.isEmpty { state.parked.append(transfer) }
            return !state.parked.isEmpty
        }
        if !isParked { submit(transfer) }
    }

    private func submit(_ transfer: USBTransfer) {
        do throws(USBFault) {
            try handle.submit(transfer)
        } catch {
            end(error)
        }
    }

    private func end(_ fault: USBFault) {
        let isFirst = state.withLock { state in
            defer { state.hasEnded = true }
            return !state.hasEnded
        }
        if isFirst { ended(fault) }
    }
}
