import BLEPackets
import MonotonicTime

/// A fault, and what it has seen.
struct ActiveFault {
    let id: RadioFaultID
    let fault: PDUFault
    /// One end of the links it is on; `nil`: any.
    let controller: ControllerID?
    var seen = 0
    var hits = 0
}

/// What faults do to the PDUs one end of a link sends.
struct LinkFaults {
    /// Whether the next PDU has been looked at.
    var isInspected = false
    /// What happens to it.
    var action: PDUFault.Action?
    /// Whether the frame it belongs to is dropped.
    var dropsFrame = false
    /// Ends a delay; until then nothing is sent.
    var resumption: DeadlineQueue<Air.Event>.Token?
    /// The last packet as it was on air, for a replay; `nil` where it was not encrypted.
    var recording: SealedPDU?

    /// The PDU is through; the next is another.
    mutating func nextPDU() {
        isInspected = false
        action = nil
    }

    /// What happens to a PDU that goes out now, in one piece.
    mutating func takeAction() -> PDUFault.Action? {
        defer { nextPDU() }
        return action
    }
}

extension PDUFault.Action {
    /// Changes the byte on its way, if it is in `range`.
    func alter(_ bytes: inout [UInt8], _ range: Range<Int>, isControl: Bool) {
        guard case .alter(let byte, let mask) = self else { return }
        let opcode = isControl ? 0 : HCIACLHeader.size + L2CAPBasicFrame.headerLength
        let index = min(opcode + max(0, min(byte, bytes.count)), bytes.count - 1)
        if range.contains(index) { bytes[index] ^= mask }
    }
}

/// A packet as it was on air.
struct SealedPDU {
    var bytes: [UInt8]
    var mic: UInt32
    var header: UInt8
}
