package import MonotonicTime

/// A USB device with one configuration around a chip: standard requests, endpoint queues, halts.
///
/// A pure state machine on URBs. After each call that may complete URBs the owner takes ``drainCompletions()`` and
/// ``drainEffects()``, and calls ``advance(to:)`` at ``nextDeadline``.
package struct EmulatedUSBDevice: Sendable {
    /// The chip.
    package private(set) var chip: any BridgeChip
    /// The descriptors.
    package let descriptors: DeviceDescriptors
    private var configuration: UInt8 = 0
    private var halted: Set<UInt8> = []
    /// Waiting reads, by endpoint address, oldest first.
    private var waiting: [UInt8: [URB]] = [:]
    private var completions: [URBCompletion] = []
    private var effects: [ChipEffect] = []
    private var now = MonotonicInstant.zero

    /// A device that is not configured yet.
    package init(_ chip: any BridgeChip) {
        self.chip = chip
        descriptors = chip.descriptors
    }

    /// The configuration that the host chose; 0: none.
    package var configurationValue: UInt8 { configuration }

    /// URBs that have ended since the last call, in order.
    package mutating func drainCompletions() -> [URBCompletion] {
        defer { completions.removeAll() }
        return completions
    }

    /// What the chip did since the last call.
    package mutating func drainEffects() -> [ChipEffect] {
        defer { effects.removeAll() }
        return effects
    }

    /// When a waiting read will end without further input.
    package var nextDeadline: MonotonicInstant? {
        guard waiting[chip.bulkIn]?.isEmpty == false, !halted.contains(chip.bulkIn) else { return nil }
        return chip.readDeadline(at: now)
    }

    // MARK: Input

    /// Advances the time.
    package mutating func advance(to instant: MonotonicInstant) {
        now = max(now, instant)
        serveReads()
    }

    /// Begins a request of the host.
    package mutating func submit(_ urb: URB, at instant: MonotonicInstant) {
        now = max(now, instant)
        if urb.endpoint == 0 {
            control(urb)
        } else {
            transfer(urb)
        }
        collect()
        serveReads()
    }

    /// Cancels a waiting request.
    ///
    /// - Returns: whether it was waiting; it then has no completion.
    package mutating func unlink(_ id: UInt32) -> Bool {
        for (address, queue) in waiting {
            guard let index = queue.firstIndex(where: { $0.id == id }) else { continue }
            waiting[address]?.remove(at: index)
            return true
        }
        return false
    }

    /// The UART's RXD, or the chip itself, delivers bytes to the host.
    package mutating func receive(_ bytes: [UInt8], at instant: MonotonicInstant) {
        now = max(now, instant)
        chip.received(bytes)
        collect()
        serveReads()
    }

    /// The device is unplugged, or the host is gone: all requests end, and nothing is configured.
    package mutating func disconnect() {
        for urb in waiting.values.flatMap(\.self).sorted(by: { $0.id < $1.id }) { complete(urb, .shutdown) }
        waiting.removeAll()
        halted.removeAll()
        configuration = 0
        chip.configured()
        collect()
    }

    // MARK: Endpoints

    private mutating func transfer(_ urb: URB) {
        let address = urb.endpoint | (urb.isIn ? 0x80 : 0)
        guard configuration != 0, descriptors.endpoint(address) != nil else { return complete(urb, .stall) }
        guard !halted.contains(address) else { return complete(urb, .stall) }
        guard !urb.isIn else {
            waiting[address, default: []].append(urb)
            return
        }
        if address == chip.bulkOut { chip.write(urb.data) }
        complete(urb, .done, count: urb.data.count)
    }

    private mutating func serveReads() {
        for address in waiting.keys.sorted() {
            while let urb = waiting[address]?.first {
                let bytes: [UInt8]?
                if address == chip.bulkIn {
                    bytes = chip.read(upTo: urb.length, at: now)
                } else if descriptors.endpoint(address)?.kind == .interrupt {
                    bytes = chip.readInterrupt(at: now)
                } else {
                    bytes = nil
                }
                guard let bytes else { break }
                waiting[address]?.removeFirst()
                complete(urb, .done, bytes)
            }
        }
        collect()
    }

    private mutating func collect() {
        effects += chip.drainEffects()
    }

    private mutating func complete(_ urb: URB, _ status: URBCompletion.Status, _ data: [UInt8] = [], count: Int = 0) {
        let data = Array(data.prefix(urb.length))
        completions.append(
            URBCompletion(id: urb.id, status: status, data: data, actualLength: urb.isIn ? data.count : count))
    }

    // MARK: Endpoint 0

    private mutating func control(_ urb: URB) {
        guard let setup = urb.setup, setup.isIn || urb.data.count == Int(setup.length) else {
            return complete(urb, .stall)
        }
        var urb = urb
        urb.isIn = setup.isIn
        urb.length = min(urb.length, Int(setup.length))
        let answer: ControlAnswer
        if setup.isStandard {
            answer = standard(setup)
        } else {
            answer = configuration == 0 ? .stall : chip.control(setup, urb.data, at: now)
        }
        switch answer {
        case .stall: complete(urb, .stall)
        case .accepted: complete(urb, .done, count: urb.data.count)
        case .data(let bytes): complete(urb, setup.isIn ? .done : .stall, bytes)
        }
    }

    /// USB 2.0, 9.4.
    private mutating func standard(_ setup: SetupPacket) -> ControlAnswer {
        switch (setup.requestType, setup.request) {
        case (0x80, 6): return descriptor(setup)
        case (0x80, 8): return .data([configuration])
        case (0x80, 0): return .data([descriptors.attributes >> 6 & 1, 0])
        case (0x81, 0) where setup.index < descriptors.interfaces.count: return .data([0, 0])
        case (0x82, 0): return .data([halted.contains(UInt8(truncatingIfNeeded: setup.index)) ? 1 : 0, 0])
        case (0x81, 10) where setup.index < descriptors.interfaces.count: return .data([0])
        case (0x01, 11) where setup.index < descriptors.interfaces.count && setup.value == 0: return .accepted
        case (0x00, 5): return .accepted
        case (0x00, 9) where setup.value <= 1:
            configuration = setup.valueLow
            halted.removeAll()
            chip.configured()
            return .accepted
        case (0x02, 1) where setup.value == 0:
            halted.remove(UInt8(truncatingIfNeeded: setup.index))
            return .accepted
        case (0x02, 3) where setup.value == 0:
            halted.insert(UInt8(truncatingIfNeeded: setup.index))
            return .accepted
        // Remote wake-up is accepted and never used.
        case (0x00, 1), (0x00, 3): return setup.value == 1 ? .accepted : .stall
        default: return .stall
        }
    }

    private func descriptor(_ setup: SetupPacket) -> ControlAnswer {
        switch (setup.valueHigh, setup.valueLow) {
        case (1, 0): .data(descriptors.device)
        case (2, 0): .data(descriptors.configuration)
        case (3, let number): descriptors.string(number).map { .data($0) } ?? .stall
        // Device qualifier and the like: a full-speed device has none.
        default: .stall
        }
    }
}
