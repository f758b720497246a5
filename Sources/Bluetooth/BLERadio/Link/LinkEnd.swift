import BLECore
import BLEPackets
import MonotonicTime

/// What one controller knows of one of its connections.
final class LinkEnd {
    /// Something for the peer.
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

    var outgoing = FIFO<Outgoing>()
    /// How many bytes of the first ACL packet the peer has.
    var sentOctets = 0
    /// Sent and acknowledged, but not reported to the host yet.
    var completed: UInt16 = 0
    /// ACL packets from the host, until they are reported completed.
    var inUse = 0
    /// ACL packets the host has and has not completed.
    var hostOutstanding = 0
    /// The reason of LL_TERMINATE_IND, once the host wants to end the connection: it goes out behind what is queued,
    /// and nothing is queued behind it.
    var terminating: HCIErrorCode?
    /// Whether it was not the host that wanted ``terminating``.
    var terminatesByItself = false
    var encryption = LinkEncryption()
    var faults = LinkFaults()
    /// When the peer's answers are overdue, by the opcode that began the procedure.
    var responseTimeouts: [LinkControlOpcode: DeadlineQueue<Air.Event>.Token] = [:]

    /// When the peer was heard last, in nanoseconds; kept up to date only while packets may get lost.
    var lastContact: Int64 = 0
    /// Whether the peer was heard at all.
    var isEstablished = false

    /// The last that the central has sent.
    var channelMap = HCIChannelMap.all
    var length: DataLengths
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
    /// The peer's connection parameter request, until the host has answered.
    var isAskedForParameters = false

    init(_ controller: Controller, handle: UInt16, role: HCIRole, peerAddress: DeviceAddress) {
        self.controller = controller
        self.handle = handle
        self.role = role
        self.peerAddress = peerAddress
        length = DataLengths(controller)
        wantedPHYs = controller.host.defaultPHYs
    }
}

/// A queue that keeps its memory.
struct FIFO<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }
    var first: Element? { isEmpty ? nil : elements[head] }

    mutating func append(_ element: consuming Element) {
        elements.append(element)
    }

    /// Puts an element before all others.
    mutating func putBack(_ element: consuming Element) {
        if head > 0 {
            head -= 1
            elements[head] = element
        } else {
            elements.insert(element, at: 0)
        }
    }

    /// Takes the first element out; nothing of it stays behind.
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
