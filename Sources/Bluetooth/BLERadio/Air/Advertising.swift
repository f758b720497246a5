import BLECore
import BLEPackets
import MonotonicTime

/// What one event of a set says on air.
struct Advertisement {
    let set: AdvertisingSet
    let sender: OwnAddress
    /// Whom directed advertising is for.
    let target: DeviceAddress?

    var controller: Controller { self.set.controller }
}

extension Air {
    func startAdvertising(_ set: AdvertisingSet, duration: Int64? = nil, maximumEvents: UInt8 = 0) {
        set.isEnabled = true
        set.end = duration.map { now + $0 }
        set.maximumEvents = maximumEvents
        set.eventCount = 0
        set.nextEvent = now + set.controller.random.below(AirTime.advertisingDelay)
        scheduleAdvertising(set)
    }

    func stopAdvertising(_ set: AdvertisingSet) {
        set.isEnabled = false
        cancel(&set.token)
    }

    /// Sees to it that the next advertising event happens, if anyone may hear it or counts it.
    func scheduleAdvertising(_ set: AdvertisingSet) {
        cancel(&set.token)
        guard !listeners.isEmpty || set.maximumEvents > 0 else {
            if let end = set.end { set.token = schedule(.advertising(set), at: end) }
            return
        }
        if set.nextEvent < now {
            // Nobody listened to the events in between; where in its interval it is now is a matter of chance.
            set.nextEvent = now + set.controller.random.below(set.interval)
        }
        set.token = schedule(.advertising(set), at: min(set.nextEvent, set.end ?? .max))
    }

    /// One advertising event. What is heard is reported at the event's start.
    func advertisingEvent(_ set: AdvertisingSet) {
        set.token = nil
        if let end = set.end, now >= end {
            endAdvertising(set, .advertisingTimeout)
            return
        }
        guard let advertisement = advertisement(of: set) else { return }
        if set.isLegacy {
            sendLegacy(advertisement)
        } else {
            sendExtended(advertisement)
        }
        guard set.isEnabled else { return }
        set.eventCount &+= 1
        if set.maximumEvents > 0, set.eventCount >= set.maximumEvents {
            endAdvertising(set, .limitReached)
            return
        }
        let delay = set.isHighDuty ? 0 : set.controller.random.below(AirTime.advertisingDelay)
        set.nextEvent = now + set.interval + delay
        scheduleAdvertising(set)
    }

    private func advertisement(of set: AdvertisingSet) -> Advertisement? {
        let controller = set.controller
        let parameters = set.parameters
        let peer = parameters.peerAddress
        guard
            let sender = controller.ownAddress(
                parameters.ownAddressType, for: peer, random: set.ownRandomAddress, now: now)
        else { return nil }
        guard set.isDirected else { return Advertisement(set: set, sender: sender, target: nil) }
        let made =
            parameters.ownAddressType.rawValue >= 2
            ? controller.host.resolvingList.targetAddress(for: peer, now: now, &controller.random) : nil
        return Advertisement(set: set, sender: sender, target: made ?? peer)
    }

    /// Ends advertising that has come to its time or number of events, and tells the host.
    private func endAdvertising(_ set: AdvertisingSet, _ status: HCIErrorCode) {
        stopAdvertising(set)
        if set.handle == nil {
            emitConnectionComplete(.failure(status, role: .peripheral), to: set.controller)
        } else {
            emitTerminated(set, status, connection: 0)
        }
    }

    /// Tells the host of a set that has ended by itself; legacy commands know no such event.
    func emitTerminated(_ set: AdvertisingSet, _ status: HCIErrorCode, connection: UInt16) {
        guard let handle = set.handle else { return }
        emit(
            HCILEAdvertisingSetTerminated(
                status: status, advertisingHandle: handle, handle: connection,
                completedEventCount: set.maximumEvents > 0 ? set.eventCount : 0),
            to: set.controller)
    }

    // MARK: Packets

    /// One packet.
    struct Moment {
        /// 0 is channel 37.
        var channel: Int
        var begin: Int64
        var duration: Int64
    }

    /// A packet on each channel of the map.
    private func sendLegacy(_ advertisement: Advertisement) {
        let set = advertisement.set
        // Address and data, or both addresses.
        let duration = AirTime.packet(set.isDirected ? 12 : 6 + set.data.bytes.count)
        // After each packet the advertiser listens for a request.
        let spacing = duration + (set.isDirected ? 500 : 650) * AirTime.microsecond
        var moment = Moment(channel: 0, begin: now, duration: duration)
        for channel in 0..<3 where set.parameters.channelMap & 1 << channel != 0 {
            moment.channel = channel
            for listener in listeners where listener !== set.controller {
                if connects(listener, advertisement, at: moment) { return }
                scan(listener, advertisement, at: moment)
            }
            moment.begin += spacing
        }
    }

    /// A short packet on each channel of the map, which says where the packet with the data is; that is heard by those
    /// who heard one of the short ones (Core 5.4, Vol 6 Part B 4.4.2.2.2).
    private func sendExtended(_ advertisement: Advertisement) {
        let set = advertisement.set
        let duration = AirTime.packet(AirTime.extendedIndication, set.parameters.primaryPHY)
        var moment = Moment(channel: 0, begin: now, duration: duration)
        var scanned: Set<ControllerID> = []
        for channel in 0..<3 where set.parameters.channelMap & 1 << channel != 0 {
            moment.channel = channel
            for listener in listeners where listener !== set.controller {
                if connects(listener, advertisement, at: moment) { return }
                if !scanned.contains(listener.id), scan(listener, advertisement, at: moment) {
                    scanned.insert(listener.id)
                }
            }
            moment.begin += duration + AirTime.auxiliaryFrameSpace
        }
    }

    /// Whether `listener` gets what the packet at `moment` says: of extended advertising that is two packets.
    func gets(_ advertisement: Advertisement, _ listener: Controller, _ listening: Listening, at moment: Moment) -> Bool
    {
        let sender = advertisement.controller
        let path = path(sender, listener)
        return listening.hears(channel: moment.channel, from: moment.begin, duration: moment.duration)
            && isHeard(advertisement.set.txPower, path, by: listener) && !losesPacket(path)
            && (advertisement.set.isLegacy || !losesPacket(path))
    }
}
