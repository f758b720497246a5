package import BenchExecutor
internal import MonotonicTime

/// An emulated device on its executor: connects its chip with what is at the UART, and its URBs with a host.
package actor USBStation {
    private nonisolated let executor: BenchExecutor
    /// The executor of the bench.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    /// Its place on the bus.
    package nonisolated let place: USBPlace
    private var makeChip: @Sendable () -> any BridgeChip
    /// What goes wrong with class and vendor requests, by their number.
    private var faults: [UInt8: ControlFault] = [:]
    /// Requests that are never answered.
    private var unanswered: Set<UInt32> = []
    private let peer: any UARTPeer
    /// How long the device is off the bus after a reset of the chip whose USB controller it is.
    private let reenumeration: Duration?
    private var device: EmulatedUSBDevice
    private var isPlugged = true
    private var host: Host?
    private var alarm: Alarm
    private let effects: AsyncStream<ChipEffect>
    private let continuation: AsyncStream<ChipEffect>.Continuation
    private let log: @Sendable (String) -> Void
    private var changed: (@Sendable () -> Void)?

    /// The host that has imported the device.
    struct Host: Sendable {
        let id: UInt64
        /// Receives completions.
        let complete: @Sendable ([URBCompletion]) -> Void
        /// The device was unplugged.
        let disconnect: @Sendable () -> Void
    }

    /// A plugged-in device.
    ///
    /// - Parameters:
    ///   - reenumeration: for a chip's own USB controller: how long it is off the bus after a reset; `nil`: it stays.
    ///   - makeChip: makes the chip in its state after power-on.
    ///   - log: receives a line for each violation and each reset.
    package init(
        _ place: USBPlace, peer: any UARTPeer, reenumeration: Duration? = nil, on executor: BenchExecutor,
        log: @escaping @Sendable (String) -> Void, _ makeChip: @escaping @Sendable () -> any BridgeChip
    ) {
        self.place = place
        self.peer = peer
        self.reenumeration = reenumeration
        self.executor = executor
        self.makeChip = makeChip
        self.log = log
        device = EmulatedUSBDevice(makeChip())
        alarm = Alarm(executor)
        (effects, continuation) = AsyncStream.makeStream()
    }

    /// Runs the UART side until the task is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.performEffects() }
            group.addTask { await self.receiveBytes() }
        }
        continuation.finish()
    }

    private func performEffects() async {
        for await effect in effects {
            do {
                try await perform(effect)
            } catch {
                log("\(place.busID): \(error)")
            }
        }
    }

    private func perform(_ effect: ChipEffect) async throws {
        switch effect {
        case .violation(let text):
            log("\(place.busID): \(text)")
        case .reset(let download):
            log("\(place.busID): the chip resets\(download ? " into download mode" : "")")
            guard let reenumeration else { return try await peer.perform(effect) }
            setPlugged(false)
            try await peer.perform(effect)
            try await BenchClock(executor).sleep(for: reenumeration)
            setPlugged(true)
        default:
            try await peer.perform(effect)
        }
    }

    private func receiveBytes() async {
        while !Task.isCancelled {
            do {
                let bytes = try await peer.read { await self.device.chip.settings }
                // A chip prints while its USB is off the bus; a bridge has no power then.
                guard isPlugged || reenumeration != nil else { continue }
                device.receive(bytes, at: executor.now)
                settle()
            } catch is CancellationError {
                return
            } catch {
                // The port was closed with the host's connection, or the board is off: opened again for the next.
                try? await BenchClock(executor).sleep(for: .milliseconds(10))
            }
        }
    }

    // MARK: The plug

    /// Whether it is on the bus.
    package var isPluggedIn: Bool { isPlugged }

    /// The descriptors, and the configuration's value.
    package var identity: (DeviceDescriptors, UInt8) { (device.descriptors, device.configurationValue) }

    /// Puts the device on the bus or takes it off; its host's connection ends with that.
    package func setPlugged(_ plugged: Bool) {
        guard plugged != isPlugged else { return }
        isPlugged = plugged
        log("\(place.busID): \(plugged ? "plugged in" : "unplugged")")
        if !plugged {
            device.disconnect()
            settle()
            device = EmulatedUSBDevice(makeChip())
            let former = host
            host = nil
            former?.disconnect()
        }
        changed?()
    }

    /// Sets what is called when the device is plugged in or out.
    package func onChange(_ action: @escaping @Sendable () -> Void) { changed = action }

    // MARK: The host

    func attach(_ newHost: Host) throws(StationError) {
        guard isPlugged else { throw .unplugged(place.busID) }
        guard host == nil else { throw .busy(place.busID) }
        host = newHost
    }

    func detach(_ id: UInt64) async {
        guard host?.id == id else { return }
        host = nil
        device.disconnect()
        settle()
        await peer.disconnected()
        // The next host finds a device that was reset.
        device = EmulatedUSBDevice(makeChip())
        continuation.yield(.settings(device.chip.settings))
    }

    func submit(_ urb: URB, from id: UInt64) {
        guard host?.id == id else { return }
        if let setup = urb.setup, !setup.isStandard, let fault = faults[setup.request] {
            return fail(urb, fault)
        }
        device.submit(urb, at: executor.now)
        settle()
    }

    private func fail(_ urb: URB, _ fault: ControlFault) {
        switch fault {
        case .stall: host?.complete([URBCompletion(id: urb.id, status: .stall, data: [], actualLength: 0)])
        case .silence: unanswered.insert(urb.id)
        case .unplug: setPlugged(false)
        case .loss:
            device.submit(urb, at: executor.now)
            for effect in device.drainEffects() { continuation.yield(effect) }
            _ = device.drainCompletions()
            host?.complete([URBCompletion(id: urb.id, status: .protocolError, data: [], actualLength: 0)])
        }
    }

    func unlink(_ target: UInt32, from id: UInt64) -> Bool {
        guard host?.id == id else { return false }
        return unanswered.remove(target) != nil || device.unlink(target)
    }

    /// From now on each class or vendor request of this number fails so; `nil`: none does.
    package func setFault(_ fault: ControlFault?, request: UInt8) { faults[request] = fault }

    /// The device that is plugged in next at its place.
    package func become(_ makeChip: @escaping @Sendable () -> any BridgeChip) {
        self.makeChip = makeChip
        if !isPlugged { device = EmulatedUSBDevice(makeChip()) }
    }

    private func settle() {
        for effect in device.drainEffects() { continuation.yield(effect) }
        let completions = device.drainCompletions()
        if !completions.isEmpty { host?.complete(completions) }
        alarm.set(device.nextDeadline) { [weak self] in
            self?.assumeIsolated { station in
                station.alarm.fired()
                station.device.advance(to: station.executor.now)
                station.settle()
            }
        }
    }
}
