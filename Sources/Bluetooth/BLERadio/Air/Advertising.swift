import BLECore
internal import BLEPackets
internal import MonotonicTime

/// The PDUs of one advertising event.
struct Advertisement {
    let set: AdvertisingSet
    let sender: OwnAddress
    /// The target of directed advertising.
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

    /// Schedules the next advertising event, if any controller listens or events are counted.
    func scheduleAdvertising(_ set: AdvertisingSet) {
        cancel(&set.token)
        guard !listeners.isEmpty || set.maximumEvents > 0 else {
            if let end = set.end { set.token = schedule(.advertising(set), at: end) }
            return
        }
        if set.nextEvent < now {
            // Events without listeners were skipped; draw the current phase at random.
            set.nextEvent = now + set.controller.random.below(set.interval)
        }
        set.token = schedule(.advertising(set), at: min(set.nextEvent, set.end ?? .max))
    }

    /// One advertising event. Reports are sent at its start.
    func advertisingEvent(_ set: AdvertisingSet) {
        set.token = nil
        if let end = set.end, now >= end {
            endAdvertising(set, .advertisingTimeout)
            return
        }
        guard let advertisement = advertisement(of: set) else { return }
        set.lastSender = advertisement.sender.address
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

    /// Ends advertising that has reached its duration or maximum number of events, and notifies the host.
    private func endAdvertising(_ set: AdvertisingSet, _ status: HCIErrorCode) {
        stopAdvertising(set)
        if set.handle == nil {
            emitConnectionComplete(.failure(status, role: .peripheral), to: set.controller)
        } else {
            emitTerminated(set, status, connection: 0)
        }
    }

    /// Reports a terminated advertising set to the host; legacy commands have no such event.
    func emitTerminated(_ set: AdvertisingSet, _ status: HCIErrorCode, connection: UInt16) {
        guard let handle = set.handle else { return }
        emit(
            HCILEAdvertisingSetTerminated(
                status: status, advertisingHandle: handle, handle: connection,
                completedEventCount: set.maximumEvents > 0 ? set.eventCount : 0),
            to: set.controller)
    }

    // MARK: Packets

    /// The transmission of one packet.
    struct Transmission {
        /// 0 is channel 37.
        var channel: Int
        var begin: Int64
        var duration: Int64
    }

    /// Sends a PDU on each channel of the map.
    private func sendLegacy(_ advertisement: Advertisement) {
        let set = advertisement.set
        // Address and data, or both addresses.
        let duration = AirTime.packet(set.isDirected ? 12 : 6 + set.data.bytes.count)
        // After each PDU the advertiser listens for a request.
        let spacing = duration + (set.isDirected ? 500 : 650) * AirTime.microsecond
        var transmission = Transmission(channel: 0, begin: now, duration: duration)
        // If the radio is late, scanners get no reports; only initiators receive.
        let receivers = isOverloaded ? listeners.filter { $0.host.initiator != nil } : listeners
        for channel in 0..<3 where set.parameters.channelMap & 1 << channel != 0 {
            transmission.channel = channel
            for listener in receivers where listener !== set.controller {
                if connects(listener, advertisement, at: transmission) { return }
                scan(listener, advertisement, at: transmission)
            }
            transmission.begin += spacing
        }
    }

    /// Sends ADV_EXT_IND on each channel of the map, with a pointer to the auxiliary packet with the data; a listener
    /// that received an ADV_EXT_IND receives the auxiliary packet (Core 5.4, Vol 6 Part B 4.4.2.2.2).
    private func sendExtended(_ advertisement: Advertisement) {
        let set = advertisement.set
        let duration = AirTime.packet(AirTime.extendedIndication, set.parameters.primaryPHY)
        var transmission = Transmission(channel: 0, begin: now, duration: duration)
        var scanned: Set<ControllerID> = []
        for channel in 0..<3 where set.parameters.channelMap & 1 << channel != 0 {
            transmission.channel = channel
            for listener in listeners where listener !== set.controller {
                if connects(listener, advertisement, at: transmission) { return }
                if !scanned.contains(listener.id), scan(listener, advertisement, at: transmission) {
                    scanned.insert(listener.id)
                }
            }
            transmission.begin += duration + AirTime.auxiliaryFrameSpace
        }
    }

    /// True if `listener` receives the packet at `transmission`; for extended advertising, both packets.
    func receives(
        _ advertisement: Advertisement, _ listener: Controller, _ listening: Listening, at transmission: Transmission
    ) -> Bool {
        let sender = advertisement.controller
        let path = path(sender, listener)
        return listening.receives(
            channel: transmission.channel, from: transmission.begin, duration: transmission.duration)
            && isReceived(advertisement.set.txPower, path, by: listener) && !losesPacket(path)
            && (advertisement.set.isLegacy || !losesPacket(path))
    }
}
