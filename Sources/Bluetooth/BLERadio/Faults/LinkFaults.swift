import BLEPackets
import MonotonicTime

/// A fault with its counters.
struct ActiveFault {
    let id: RadioFaultID
    let fault: PDUFault
    /// One end of the links it is on; `nil`: any.
    let controller: ControllerID?
    var matchCount = 0
    var hits = 0
}

/// The effects of faults on the PDUs that one end of a link sends.
struct LinkFaults {
    /// Whether the next PDU has been matched against the faults.
    var isInspected = false
    /// The action of the fault.
    var action: PDUFault.Action?
    /// Whether the whole L2CAP frame is dropped.
    var dropsFrame = false
    /// The end of a delay; until then nothing is sent.
    var resumption: DeadlineQueue<Air.Event>.Token?
    /// The last transmitted packet, for a replay; `nil` if it was not encrypted.
    var recording: SealedPDU?

    /// The PDU was transmitted; continue with the next.
    mutating func nextPDU() {
        isInspected = false
        action = nil
    }

    /// Removes and returns the action for a PDU sent now in a single packet.
    mutating func removeAction() -> PDUFault.Action? {
        defer { nextPDU() }
        return action
    }
}

extension PDUFault.Action {
    /// Alters the byte in transit, if it is in `range`.
    func alter(_ bytes: inout [UInt8], _ range: Range<Int>, isControl: Bool) {
        guard case .alter(let byte, let mask) = self else { return }
        let opcode = isControl ? 0 : HCIACLHeader.size + L2CAPBasicFrame.headerLength
        let index = min(opcode + max(0, min(byte, bytes.count)), bytes.count - 1)
        if range.contains(index) { bytes[index] ^= mask }
    }
}

/// A packet as transmitted.
struct SealedPDU {
    var bytes: [UInt8]
    var mic: UInt32
    var header: UInt8
}
