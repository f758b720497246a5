import CLibUSB
import Dispatch
import Synchronization

/// An open device. Tracks its transfers in flight, since it may be closed only after the last of them has ended.
// SAFETY: the pointer is constant, libusb's functions may be called from any thread, and the state is in a mutex.
final class USBHandle: @unchecked Sendable {
    private struct State {
        var inFlight: [ObjectIdentifier: USBTransfer] = [:]
        var isClosing = false
        var onIdle: CheckedContinuation<Void, Never>?
    }

    private let pointer: OpaquePointer
    private let device: USBDevice
    private let state = Mutex(State())
    private let claimed = Mutex<[UInt8]>([])

    init(_ pointer: OpaquePointer, device: USBDevice) {
        self.pointer = pointer
        self.device = device
    }

    deinit {
        // No transfer is in flight: each transfer retains the handle.
        release()
        libusb_close(pointer)
    }

    /// Claims `interfaces`, and detaches the kernel's driver from them until they are released. Blocks.
    func claim(_ interfaces: [UInt8]) throws(USBFault) {
        // Not supported on every system; claiming then fails if there is a driver.
        _ = libusb_set_auto_detach_kernel_driver(pointer, 1)
        for interface in interfaces {
            let status = libusb_claim_interface(pointer, Int32(interface))
            guard status == 0 else { throw USBFault(status: status) }
            claimed.withLock { $0.append(interface) }
        }
        device.context.start()
    }

    /// Puts the transfer in flight.
    func submit(_ transfer: USBTransfer) throws(USBFault) {
        let status = state.withLock { state -> Int32 in
            guard !state.isClosing else { return LIBUSB_ERROR_NO_DEVICE.rawValue }
            let status = transfer.submit(to: pointer)
            if status == 0 { state.inFlight[ObjectIdentifier(transfer)] = transfer }
            return status
        }
        guard status == 0 else { throw USBFault(status: status) }
    }

    /// The transfer is no longer in flight.
    func ended(_ transfer: USBTransfer) {
        let idle = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.inFlight[ObjectIdentifier(transfer)] = nil
            return state.inFlight.isEmpty ? state.onIdle.take() : nil
        }
        idle?.resume()
    }

    /// Cancels all transfers, gives the interfaces back to the kernel's driver and closes the device. Once.
    func close() async {
        let running = state.withLock { state in
            state.isClosing = true
            return Array(state.inFlight.values)
        }
        for transfer in running { transfer.cancel() }
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.inFlight.isEmpty { return true }
                state.onIdle = continuation
                return false
            }
            if isIdle { continuation.resume() }
        }
        // The system calls may take some milliseconds.
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                self.release()
                continuation.resume()
            }
        }
    }

    private func release() {
        // The last one first: the kernel's cdc_acm takes both interfaces when it gets the first, and fails with EBUSY
        // while the second is claimed.
        for interface in claimed.withLock({ $0.isEmpty ? [] : $0.take() }).reversed() {
            _ = libusb_release_interface(pointer, Int32(interface))
            // Attach a driver even if none was attached before: an earlier program may have been killed before it gave
            // the interface back.
            _ = libusb_attach_kernel_driver(pointer, Int32(interface))
        }
    }
}

extension Array {
    /// The elements; the array is empty afterwards.
    fileprivate mutating func take() -> [Element] {
        defer { self = [] }
        return self
    }
}
