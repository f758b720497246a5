public import BLEPackets
internal import MonotonicTime

/// A fault with its counters.
struct ActiveFault {
    let id: RadioFaultID
    let fault: PDUFault
    /// The controller at one end of the affected links; `nil`: all links.
    let controller: ControllerID?
    var matchCount = 0
    var hits = 0
}

/// The effects of faults on the PDUs that one end of a link sends.
struct LinkFaults {
    /// True if the faults have been checked for the next PDU.
    var isInspected = false
    /// The action of the fault.
    var action: PDUFault.Action?
    /// True if the whole L2CAP frame is dropped.
    var dropsFrame = false
    /// The scheduled end of a delay; until then nothing is sent.
    var resumption: DeadlineQueue<Air.Event>.Token?
    /// The last transmitted packet, for a replay; `nil` if it was not encrypted.
    var recording: SealedPDU?

    /// Ends the effects on the transmitted PDU, before the next one.
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

extension Air {
    /// Adds a fault on the links of `controller` (`nil`: on all links); the fault counts PDUs from this time.
    public func add(_ fault: PDUFault, at controller: ControllerID? = nil) -> RadioFaultID {
        faultCount += 1
        let id = RadioFaultID(rawValue: faultCount)
        faults.append(ActiveFault(id: id, fault: fault, controller: controller))
        return id
    }

    /// Removes a fault. Its effects remain: a delayed PDU stays delayed.
    public func remove(_ id: RadioFaultID) {
        faults.removeAll { $0.id == id }
    }

    /// The number of PDUs affected by a fault; 0 after its removal.
    public func hits(of id: RadioFaultID) -> Int {
        faults.first { $0.id == id }?.hits ?? 0
    }

    /// Checks the faults for the next PDU of an end, once, before its first transmission. Faults that end the link take
    /// effect now.
    func inspect(_ end: LinkEnd, _ link: Link) {
        guard !end.faults.isInspected, end.sentOctets == 0, hasWork(end, to: link.peer(of: end)) else { return }
        if let pdu = end.encryption.urgent.first {
            end.faults.action = action(end, link) { $0.matches(pdu.opcode) }
        } else if !end.encryption.holdsBack, let first = end.outgoing.first {
            switch first {
            case .control(let pdu): end.faults.action = action(end, link) { $0.matches(pdu.opcode) }
            // Data wait while the peer's host has no free buffer.
            case .acl where !link.peer(of: end).controller.host.flow.hasRoom: return
            case .acl(let packet) where packet.startsFrame:
                end.faults.action = action(end, link) { $0.matches(firstPacket: packet.bytes) }
                end.faults.dropsFrame = end.faults.action == .drop
            case .acl: end.faults.action = end.faults.dropsFrame ? .drop : nil
            }
        } else if end.terminating != nil {
            end.faults.action = action(end, link) { $0.matches(.terminateIndication) }
        } else {
            return
        }
        end.faults.isInspected = true
        begin(end, link)
    }

    /// The action of the first fault that applies to a PDU of `end`; the other faults only count the PDU.
    private func action(_ end: LinkEnd, _ link: Link, _ matches: (PDUKind) -> Bool) -> PDUFault.Action? {
        var action: PDUFault.Action?
        for index in faults.indices {
            let fault = faults[index].fault
            let controller = faults[index].controller
            guard fault.point.sender == nil || fault.point.sender == end.role,
                controller == nil || controller == end.controller.id || controller == link.peer(of: end).controller.id,
                matches(fault.point.kind)
            else { continue }
            faults[index].matchCount += 1
            let number = faults[index].matchCount - fault.point.occurrence
            guard action == nil, number >= 0, fault.count.map({ number < $0 }) ?? true else { continue }
            faults[index].hits += 1
            action = fault.action
        }
        return action
    }

    private func begin(_ end: LinkEnd, _ link: Link) {
        switch end.faults.action {
        case .delay(let duration):
            let (seconds, attoseconds) = duration.components
            let nanoseconds = max(0, min(seconds, 1 << 30)) * 1_000_000_000 + attoseconds / 1_000_000_000
            end.faults.resumption = schedule(.resumption(end), at: now + nanoseconds)
        case .cut:
            link.isCut = true
            loseContact(link)
        case .disconnect(let reason):
            for end in [link.central, link.peripheral] { close(end, reason) }
            loseContact(link)
        case .drop, .corrupt, .alter, .replay, nil: break
        }
    }

    /// The end of a delay.
    func resume(_ end: LinkEnd) {
        end.faults.resumption = nil
        if let link = end.link { schedule(link) }
    }

    /// True if the packet sent now is corrupted; a fault corrupts only the first transmission.
    func isCorrupted(_ end: LinkEnd) -> Bool {
        guard end.faults.action == .corrupt else { return false }
        end.faults.action = nil
        return true
    }
}

extension PDUKind {
    /// A link layer control PDU with this opcode.
    public static func linkControl(_ opcode: LinkControlOpcode) -> PDUKind {
        .linkControl(opcodes: [opcode.rawValue])
    }

    /// True if these kinds include a link layer control PDU with this opcode.
    func matches(_ opcode: LinkControlOpcode) -> Bool {
        guard case .linkControl(let opcodes) = self else { return false }
        return opcodes.isEmpty || opcodes.contains(opcode.rawValue)
    }
}

/// Identifies a fault of an air; never reused.
public struct RadioFaultID: Hashable, Sendable {
    let rawValue: Int
}
