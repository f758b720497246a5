import BLEPackets
import MonotonicTime

/// One connection on the air, seen from above: both ends, and the rhythm of its connection events.
///
/// Connection events are numbered from 0 at the first anchor. Only events with something to send take place.
package final class Link {
    /// What both ends agreed on, in HCI's units.
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

    /// New parameters, and the number of the event from which they count.
    struct Update {
        var parameters: Parameters
        var instant: Int64
    }

    /// Sleep clock accuracy as LE Connection Complete tells it: 31 to 50 ppm.
    static let centralClockAccuracy: UInt8 = 5

    let central: LinkEnd
    let peripheral: LinkEnd
    var parameters: Parameters
    var path: RadioPath
    /// When event ``anchorEvent`` starts, in nanoseconds.
    var anchor: Int64
    var anchorEvent: Int64 = 0
    /// The last event that took place.
    var lastEvent: Int64 = -1
    /// The event that ``eventToken`` stands for, between events.
    var scheduledEvent: Int64 = 0
    /// Whether event ``lastEvent`` goes on: ``eventToken`` is its next exchange.
    var isInEvent = false
    /// When the last exchange is over, and the space behind it.
    var busyUntil: Int64 = 0
    /// Whether the ends hear each other at all.
    var isReachable = true
    /// Whether a fault has cut it: for good.
    var isCut = false
    var update: Update?
    var eventToken: DeadlineQueue<Air.Event>.Token?
    var supervisionToken: DeadlineQueue<Air.Event>.Token?
    /// What the central will send and receive on.
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

    /// The number of the event to come whose lowest 16 bits are these.
    func event(_ low: UInt16) -> Int64 {
        lastEvent + Int64(low &- UInt16(truncatingIfNeeded: lastEvent))
    }

    /// The number of the first event at `time` or later.
    func event(atOrAfter time: Int64) -> Int64 {
        time <= anchor ? anchorEvent : anchorEvent + (time - anchor + interval - 1) / interval
    }
}
