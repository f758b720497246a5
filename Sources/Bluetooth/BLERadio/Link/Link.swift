import BLECore
internal import BLEPackets
internal import MonotonicTime

/// One connection: both ends, and the timing of its connection events.
///
/// Connection events are numbered from 0 at the first anchor point. Only events with data are simulated.
package final class Link {
    /// The connection parameters, in HCI's units.
    package struct Parameters: Equatable {
        var interval: UInt16
        var latency: UInt16
        var supervisionTimeout: UInt16

        package init(interval: UInt16, latency: UInt16, supervisionTimeout: UInt16) {
            self.interval = interval
            self.latency = latency
            self.supervisionTimeout = supervisionTimeout
        }
    }

    /// New parameters, and the event counter of their instant.
    struct Update {
        var parameters: Parameters
        var instant: Int64
    }

    /// The sleep clock accuracy in LE Connection Complete: 31 to 50 ppm.
    static let centralClockAccuracy: UInt8 = 5

    let central: LinkEnd
    let peripheral: LinkEnd
    var parameters: Parameters
    var path: RadioPath
    /// When event ``anchorEvent`` starts, in nanoseconds.
    var anchor: Int64
    var anchorEvent: Int64 = 0
    /// The last simulated event.
    var lastEvent: Int64 = -1
    /// The event scheduled with ``eventToken``, between events.
    var scheduledEvent: Int64 = 0
    /// True if event ``lastEvent`` is in progress: ``eventToken`` is its next exchange.
    var isInEvent = false
    /// The end of the last exchange and the inter frame space.
    var busyUntil: Int64 = 0
    /// How many events in succession it has left to other links of the same radio.
    var skippedEvents = 0
    /// True if the ends are in range of each other.
    var isReachable = true
    /// True if a fault has permanently interrupted the link.
    var isCut = false
    var update: Update?
    var eventToken: DeadlineQueue<Air.Event>.Token?
    var supervisionToken: DeadlineQueue<Air.Event>.Token?
    /// The PHYs of the central from the instant of a PHY update on.
    var phyUpdate: LinkPHYs?
    var phyToken: DeadlineQueue<Air.Event>.Token?
    var updateToken: DeadlineQueue<Air.Event>.Token?

    init(
        central: LinkEnd, peripheral: LinkEnd, parameters: HCIConnectionParameters, path: RadioPath, anchor: Int64,
        phy: HCIPHY, now: Int64
    ) {
        self.central = central
        self.peripheral = peripheral
        self.parameters = Parameters(
            interval: parameters.maximumInterval, latency: parameters.latency,
            supervisionTimeout: parameters.supervisionTimeout)
        self.path = path
        self.anchor = anchor
        for end in [central, peripheral] {
            end.link = self
            end.phys = LinkPHYs(tx: phy, rx: phy)
            end.lastContact = now
            end.isEstablished = path.lossRate == 0
        }
    }

    func peer(of end: LinkEnd) -> LinkEnd {
        end === central ? peripheral : central
    }

    var isOpen: Bool { central.isOpen && peripheral.isOpen }
    var isLossy: Bool { path.lossRate > 0 }

    var interval: Int64 { AirTime.connectionInterval(parameters.interval) }

    func time(of event: Int64) -> Int64 {
        anchor + (event - anchorEvent) * interval
    }

    /// The number of the future event whose lowest 16 bits are `low`.
    func event(_ low: UInt16) -> Int64 {
        lastEvent + Int64(low &- UInt16(truncatingIfNeeded: lastEvent))
    }

    /// The number of the first event at or after `time`.
    func event(atOrAfter time: Int64) -> Int64 {
        time <= anchor ? anchorEvent : anchorEvent + (time - anchor + interval - 1) / interval
    }
}

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

    // `@exclusivity(unchecked)`: accessed several times per packet, where the run-time check costs more than the other
    // work; the compile-time checks remain.
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
    /// True if the controller, not its host, has set ``terminating``.
    var terminatesByItself = false
    @exclusivity(unchecked) var encryption = LinkEncryption()
    @exclusivity(unchecked) var faults = LinkFaults()
    /// The procedure response time-outs, by the opcode of the request that began the procedure.
    var responseTimeouts: [LinkControlOpcode: DeadlineQueue<Air.Event>.Token] = [:]

    /// The time of the last packet from the peer, in nanoseconds; maintained only while packets may be lost.
    var lastContact: Int64 = 0
    /// True if a packet from the peer was received.
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
    /// True if the host waits for the result of the procedure for ``wantedPHYs``.
    var wantsPHYs = false
    /// True if the host must answer the peer's connection parameter request.
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
