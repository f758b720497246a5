import MonotonicTime
import USBDevices

/// A host of one device, without a driver: submits URBs and returns what ended.
final class Host {
    var device: EmulatedUSBDevice
    private var nextID: UInt32 = 1
    var now = MonotonicInstant.zero

    /// A host that has configured the device.
    init(_ chip: any BridgeChip, configured: Bool = true) {
        device = EmulatedUSBDevice(chip)
        if configured { _ = control(0x00, 9, value: 1) }
    }

    /// A control transfer: its completion, which control transfers always have at once.
    func control(
        _ type: UInt8, _ request: UInt8, value: UInt16 = 0, index: UInt16 = 0, data: [UInt8] = [], length: UInt16? = nil
    ) -> URBCompletion? {
        let length = length ?? UInt16(data.count)
        let setup = SetupPacket(requestType: type, request: request, value: value, index: index, length: length)
        return submit(
            URB(id: 0, endpoint: 0, isIn: type & 0x80 != 0, setup: setup, data: data, length: Int(length))
        ).first
    }

    /// Writes to an OUT endpoint.
    func write(_ endpoint: UInt8, _ bytes: [UInt8]) -> URBCompletion? {
        submit(URB(id: 0, endpoint: endpoint, isIn: false, data: bytes, length: bytes.count)).first
    }

    /// Begins a read of an IN endpoint; returns its number, and what has ended.
    func read(_ endpoint: UInt8, _ length: Int) -> [URBCompletion] {
        submit(URB(id: 0, endpoint: endpoint & 0x7F, isIn: true, length: length))
    }

    func submit(_ urb: URB) -> [URBCompletion] {
        var urb = urb
        urb.id = nextID
        nextID += 1
        device.submit(urb, at: now)
        return device.drainCompletions()
    }

    /// What the chip did.
    func drainEffects() -> [ChipEffect] {
        device.drainEffects()
    }

    /// What ended without a call of this type.
    func drainCompletions() -> [URBCompletion] {
        device.drainCompletions()
    }

    /// Cancels a waiting read.
    func unlink(_ id: UInt32) -> Bool {
        device.unlink(id)
    }

    /// What the UART receives; returns the reads that ended.
    func receive(_ bytes: [UInt8]) -> [URBCompletion] {
        device.receive(bytes, at: now)
        return device.drainCompletions()
    }

    /// Lets time pass; returns the reads that ended.
    func wait(_ duration: Duration) -> [URBCompletion] {
        now = now.advanced(by: duration)
        device.advance(to: now)
        return device.drainCompletions()
    }
}
