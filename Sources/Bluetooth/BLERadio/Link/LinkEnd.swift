import BLECore
import BLEPackets
import MonotonicTime

/// One controller's state of a connection.
final class LinkEnd {
    /// A queued packet or PDU.
    enum Outgoing {
        case acl(HCIPacket)
        case control(LinkControlPDU)
    }

    let controller: Controller
    unowned var link: Link?
    let handle: UInt16
    let role: HCIRole
    let peerAddress: DeviceAddress
    var isOpen = true

    // `@exclusivity(unchecked)`: read several times per packet, where the check at run time costs more than the rest; the
    // compiler's own checks remain.
    @exclusivity(unchecked) var outgoing = FIFO<Outgoing>()
    /// The number of bytes of the first ACL packet that the peer has received.
    @exclusivity(unchecked) var sentOctets = 0
    /// Packets sent and acknowledged, but not reported to the host yet.
    var completed: UInt16 = 0
    /// ACL packets from the host, until they are reported completed.
    var inUse = 0
    /// ACL packets sent to the host and not completed.
    var hostOutstanding = 0
    /// The reason of LL_TERMINATE_IND, after the host's HCI Disconnect: it is sent after the queued packets, and
    /// nothing is queued after it.
    @exclusivity(unchecked) var terminating: HCIErrorCode?
    /// Whether the controller, not the host, set ``terminating``.
    var terminatesByItself = false
    @exclusivity(unchecked) var encryption = LinkEncryption()
    @exclusivity(unchecked) var faults = LinkFaults()
    /// The procedure response time-outs, by the opcode that began the procedure.
    var responseTimeouts: [LinkControlOpcode: DeadlineQueue<Air.Event>.Token] = [:]

    /// The time of the last packet from the peer, in nanoseconds; maintained only while packets may be lost.
    var lastContact: Int64 = 0
    /// Whether a packet from the peer was received.
    var isEstablished = false

    /// The channel map last sent by the central.
    var channelMap = HCIChannelMap.all
    @exclusivity(unchecked) var length: DataLengths
    var sentVersion = false
    var peerVersion: LinkVersion?
    var wantsVersion = false
    var peerFeatures: UInt64?
    var wantsFeatures = false
    var wantsUpdate = false
    /// In 10 ms; 30 s.
    var authenticatedPayloadTimeout: UInt16 = 3000
    var phys = LinkPHYs(tx: .le1M, rx: .le1M)
    var wantedPHYs: PHYPreference
    /// Whether the host waits for ``wantedPHYs``.
    var wantsPHYs = false
    /// Whether the host must answer the peer's connection parameter request.
    var mustAnswerParameterRequest = false

    init(_ controller: Controller, handle: UInt16, role: HCIRole, peerAddress: DeviceAddress) {
        self.controller = controller
        self.handle = handle
        self.role = role
        self.peerAddress = peerAddress
        length = DataLengths(controller)
        wantedPHYs = controller.host.defaultPHYs
    }
}

/// A queue that reuses its memory.
struct FIFO<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }
    var first: Element? { isEmpty ? nil : elements[head] }

    mutating func append(_ element: consuming Element) {
        elements.append(element)
    }

    /// Puts an element before all others.
    mutating func prepend(_ element: consuming Element) {
        if head > 0 {
            head -= 1
            elements[head] = element
        } else {
            elements.insert(element, at: 0)
        }
    }

    /// Removes the first element without keeping a reference to it.
    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head].take()
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 64 {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }
}
