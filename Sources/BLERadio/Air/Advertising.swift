import BLECore
import BLEPackets
import MonotonicTime

/// The advertising state of a controller (Core 5.4, Vol 6 Part B 4.4.2).
struct Advertiser {
    /// Core 5.4, Vol 4 Part E 7.8.5: the defaults.
    var parameters = HCILESetAdvertisingParameters(
        minimumInterval: 0x800, maximumInterval: 0x800, type: .connectable, ownAddressType: .public,
        peerAddress: DeviceAddress(0, .public), channelMap: 7, filterPolicy: 0)
    var data: ArraySlice<UInt8> = []
    var scanResponse: ArraySlice<UInt8> = []
    var isEnabled = false
    /// The next event, in nanoseconds; past where nobody has listened since.
    var nextEvent: Int64 = 0
    /// When directed advertising of high duty ends.
    var end: Int64?
    var token: DeadlineQueue<Air.Event>.Token?

    var isDirected: Bool { parameters.type == .directedHighDuty || parameters.type == .directedLowDuty }
    var isConnectable: Bool { parameters.type == .connectable || isDirected }
    var isScannable: Bool { parameters.type == .connectable || parameters.type == .scannable }

    var interval: Int64 {
        end == nil ? AirTime.slots(parameters.maximumInterval) : AirTime.highDutyInterval
    }

    /// The payload of the advertisement: address and data, or both addresses.
    var payload: Int { isDirected ? 12 : 6 + data.count }
}

extension Air {
    func startAdvertising(_ controller: Controller) {
        controller.host.advertiser.isEnabled = true
        let isHighDuty = controller.host.advertiser.parameters.type == .directedHighDuty
        controller.host.advertiser.end = isHighDuty ? now + AirTime.highDutyDuration : nil
        controller.host.advertiser.nextEvent = now + controller.random.below(AirTime.advertisingDelay)
        scheduleAdvertising(controller)
    }

    func stopAdvertising(_ controller: Controller) {
        controller.host.advertiser.isEnabled = false
        cancel(&controller.host.advertiser.token)
    }

    /// Sees to it that the next advertising event happens, if anyone may hear it.
    func scheduleAdvertising(_ controller: Controller) {
        let advertiser = controller.host.advertiser
        guard !listeners.isEmpty || advertiser.end != nil else {
            cancel(&controller.host.advertiser.token)
            return
        }
        guard advertiser.token == nil else { return }
        if advertiser.nextEvent < now {
            // Nobody listened to the events in between; where in its interval it is now is a matter of chance.
            controller.host.advertiser.nextEvent = now + controller.random.below(advertiser.interval)
        }
        controller.host.advertiser.token = schedule(
            .advertising(controller), at: controller.host.advertiser.nextEvent)
    }

    /// One advertising event: a packet on each channel of the map. What is heard is reported at the event's start.
    func advertisingEvent(_ controller: Controller) {
        controller.host.advertiser.token = nil
        let advertiser = controller.host.advertiser
        if let end = advertiser.end, now >= end {
            stopAdvertising(controller)
            emitConnectionComplete(.failure(.advertisingTimeout, role: .peripheral), to: controller)
            return
        }
        guard let address = controller.ownAddress(advertiser.parameters.ownAddressType) else { return }
        let duration = AirTime.packet(advertiser.payload)
        // After each packet the advertiser listens for a request.
        let spacing = duration + (advertiser.isDirected ? 500 : 650) * AirTime.microsecond
        var begin = now
        for channel in 0..<3 where advertiser.parameters.channelMap & 1 << channel != 0 {
            for listener in listeners where listener !== controller {
                let moment = Moment(channel: channel, begin: begin, duration: duration)
                if connects(listener, to: controller, address, at: moment) { return }
                scan(listener, controller, address, at: moment)
            }
            begin += spacing
        }
        let delay = advertiser.end == nil ? controller.random.below(AirTime.advertisingDelay) : 0
        controller.host.advertiser.nextEvent = now + advertiser.interval + delay
        scheduleAdvertising(controller)
    }

    /// One advertising packet on one channel.
    struct Moment {
        var channel: Int
        var begin: Int64
        var duration: Int64
    }

    /// Whether `listener` gets one packet from `advertiser`.
    func getsAdvertisement(
        _ listener: Controller, _ listening: Listening, from advertiser: Controller, at moment: Moment
    )
        -> Bool
    {
        listening.hears(channel: moment.channel, from: moment.begin, duration: moment.duration)
            && isInRange(advertiser, of: listener) && !losesPacket(path(advertiser, listener))
    }
}
