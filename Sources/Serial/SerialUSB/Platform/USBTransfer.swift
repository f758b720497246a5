import CLibUSB
import Synchronization

/// A transfer with its buffer; can be put in flight again when it has ended.
// SAFETY: libusb owns the transfer and the buffer from `submit` until the completion, which runs on one thread; the
// owner touches them only outside that time.
final class USBTransfer: @unchecked Sendable {
    /// The bytes received (or the count of those sent), and the failure if there was one.
    struct Outcome: Sendable {
        var fault: USBFault?
        var bytes: [UInt8]
        var count: Int
    }

    private let transfer: UnsafeMutablePointer<libusb_transfer>
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private let handle: USBHandle
    private let completion: @Sendable (USBTransfer, Outcome) -> Void

    /// A bulk transfer from `endpoint`, of at most `capacity` bytes.
    static func receiving(
        _ capacity: Int, from endpoint: UInt8, _ handle: USBHandle,
        completion: @escaping @Sendable (USBTransfer, Outcome) -> Void
    ) throws(USBFault) -> USBTransfer {
        try USBTransfer(
            UInt8(LIBUSB_TRANSFER_TYPE_BULK.rawValue), endpoint, [], capacity, 0, handle, completion)
    }

    /// A bulk transfer of `bytes` to `endpoint`.
    static func sending(
        _ bytes: ArraySlice<UInt8>, to endpoint: UInt8, _ handle: USBHandle,
        completion: @escaping @Sendable (USBTransfer, Outcome) -> Void
    ) throws(USBFault) -> USBTransfer {
        try USBTransfer(
            UInt8(LIBUSB_TRANSFER_TYPE_BULK.rawValue), endpoint, bytes, bytes.count, 0, handle, completion)
    }

    /// A control transfer, which must end within `milliseconds`.
    static func control(
        _ request: ControlTransfer, milliseconds: UInt32, _ handle: USBHandle,
        completion: @escaping @Sendable (USBTransfer, Outcome) -> Void
    ) throws(USBFault) -> USBTransfer {
        let length = UInt16(clamping: request.length)
        let setup: [UInt8] = [
            request.requestType, request.request, UInt8(request.value & 0xFF), UInt8(request.value >> 8),
            UInt8(request.index & 0xFF), UInt8(request.index >> 8), UInt8(length & 0xFF), UInt8(length >> 8),
        ]
        return try USBTransfer(
            UInt8(LIBUSB_TRANSFER_TYPE_CONTROL.rawValue), 0, (setup + request.data)[...],
            setup.count + Int(length), milliseconds, handle, completion)
    }

    private init(
        _ type: UInt8, _ endpoint: UInt8, _ bytes: ArraySlice<UInt8>, _ capacity: Int, _ milliseconds: UInt32,
        _ handle: USBHandle, _ completion: @escaping @Sendable (USBTransfer, Outcome) -> Void
    ) throws(USBFault) {
        guard let transfer = libusb_alloc_transfer(0) else { throw USBFault(.other, "out of memory") }
        self.transfer = transfer
        buffer = .allocate(capacity: max(1, capacity))
        _ = buffer.update(fromContentsOf: bytes)
        self.handle = handle
        self.completion = completion
        transfer.pointee.endpoint = endpoint
        transfer.pointee.type = type
        transfer.pointee.timeout = milliseconds
        transfer.pointee.buffer = buffer.baseAddress
        transfer.pointee.length = Int32(clamping: capacity)
    }

    deinit {
        libusb_free_transfer(transfer)
        buffer.deallocate()
    }

    /// Puts it in flight; called by ``USBHandle/submit(_:)``.
    func submit(to pointer: OpaquePointer) -> Int32 {
        transfer.pointee.dev_handle = pointer
        transfer.pointee.callback = { ended in
            guard let data = ended?.pointee.user_data else { return }
            Unmanaged<USBTransfer>.fromOpaque(data).takeRetainedValue().complete()
        }
        let retained = Unmanaged.passRetained(self)
        transfer.pointee.user_data = retained.toOpaque()
        let status = libusb_submit_transfer(transfer)
        if status != 0 { retained.release() }
        return status
    }

    /// Asks for the end of the transfer; its completion follows. Does nothing when it is not in flight.
    func cancel() { _ = libusb_cancel_transfer(transfer) }

    private func complete() {
        let count = max(0, Int(transfer.pointee.actual_length))
        let isControl = transfer.pointee.type == UInt8(LIBUSB_TRANSFER_TYPE_CONTROL.rawValue)
        let isInput = (isControl ? buffer[0] : transfer.pointee.endpoint) & 0x80 != 0
        let start = isControl ? 8 : 0
        let bytes = isInput ? Array(buffer[start..<min(start + count, buffer.count)]) : []
        let outcome = Outcome(fault: USBFault(transfer: transfer.pointee.status), bytes: bytes, count: count)
        handle.ended(self)
        completion(self, outcome)
    }
}
