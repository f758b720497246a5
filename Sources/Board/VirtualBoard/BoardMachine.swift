public import ESPImage
public import MonotonicTime
public import SerialPort

/// A virtual ESP32 without radio and application: power, reset circuit, ROM, loader, flash and boot.
///
/// A pure state machine: its owner passes the time, runs the application, and transports its bytes.
public final class BoardMachine {
    /// The actions for its owner, in order.
    public enum Action: Sendable {
        /// Send bytes on the serial line.
        case send([UInt8])
        /// Run the application, with this reset reason.
        case startApplication(BootedApplication, ResetReason)
        /// Kill the running application.
        case stopApplication
        /// Hand bytes from the serial line to the application.
        case deliver([UInt8])
        /// A state for the timeline.
        case chip(ChipEvent)
    }

    /// The states of the board that are reported.
    public enum ChipEvent: Hashable, Sendable {
        /// The chip starts.
        case started(ResetReason, ResetCircuit.BootMode)
        /// The loader waits for a flasher.
        case loaderReady
        /// A stub was loaded and runs.
        case stubRunning
        /// A program other than a stub was loaded into RAM and runs; only its greeting is played.
        case programRunning
        /// The application starts.
        case applicationStarted
        /// The application has put the chip into deep sleep.
        case asleep
        /// Nothing runs until the next reset, for this reason.
        case halted(String)
    }

    private enum State {
        /// No power, or EN low.
        case stopped
        case booting(BootScript, next: Int, at: MonotonicInstant)
        case loading(SerialLoader)
        /// A program in RAM that prints its greeting again and again.
        case greeting([UInt8], next: MonotonicInstant)
        case running(BootedApplication)
        /// The application's last output is being sent; then the chip resets.
        case ending(AfterEnd, at: MonotonicInstant)
        /// In deep sleep, until its timer expires.
        case asleep(until: MonotonicInstant?)
        case halted
    }

    /// The next state after the end of an application.
    private enum AfterEnd {
        case reset(ResetReason)
        case sleep(until: MonotonicInstant?)
        /// Nothing runs until the next reset, for this reason.
        case nothing(String)
    }

    /// The pause between two greetings of a program in RAM.
    private static let greetingPause = Duration.seconds(2)
    /// A character on the line at 115,200 baud.
    private static let characterTime = Duration.nanoseconds(86_806)

    /// The flash chip.
    public let flash: NORFlash
    private let rom: BootROM
    private let identity: ChipIdentity
    private var circuit = ResetCircuit()
    private var state = State.stopped
    private var bridge = DownloadBridge()
    private var actions: [Action] = []
    private let pace: LoaderPace
    /// The baud rate that the serial line's client has set; `nil`: no client, or no rate set.
    private var clientRate: Int?
    /// The loader's line if transmission takes time.
    private var uart: PacedUART?

    /// A board without power.
    ///
    /// - Parameters:
    ///   - key: the key with which host programs must be sealed; without a key no program is run.
    ///   - pace: the operations that take time while the board is in its loader.
    public init(flash: NORFlash, identity: ChipIdentity, key: HostProgramKey?, pace: LoaderPace = .flash) {
        self.flash = flash
        self.identity = identity
        rom = BootROM(flash: flash, key: key, chip: identity.chip)
        self.pace = pace
        uart = pace == .line ? PacedUART() : nil
    }

    /// The time of the machine's next action without input.
    public var nextDeadline: MonotonicInstant? {
        let own: MonotonicInstant? =
            switch state {
            case .booting(_, _, let instant), .ending(_, let instant): instant
            case .asleep(let end): end
            case .loading(let loader): loader.nextDeadline
            case .greeting(_, let instant): instant
            case .stopped, .running, .halted: nil
            }
        return .earliest(own, circuit.nextDeadline, uart?.nextDeadline)
    }

    /// The actions since the last call, in order.
    public func drainActions() -> [Action] {
        defer { actions.removeAll(keepingCapacity: true) }
        return actions
    }

    /// The rate of the running loader's UART, in bits per second; `nil`: no loader runs.
    var loaderBaudRate: Int? {
        if case .loading(let loader) = state { loader.baudRate } else { nil }
    }

    // MARK: Inputs

    /// Gives the board power.
    public func powerOn(at now: MonotonicInstant) {
        advance(to: now)
        circuit.powerOn(at: now)
    }

    /// Powers the board off; a running flash operation stays incomplete.
    ///
    /// - Throws: ``FlashError`` when the flash file cannot be written.
    public func powerOff(at now: MonotonicInstant) throws(FlashError) {
        advance(to: now)
        circuit.powerOff()
        handleCircuit(now)
        try flash.losePower(at: now)
    }

    /// Sets DTR and RTS, on behalf of the client of the serial port.
    public func setModemLines(_ lines: ModemLines, at now: MonotonicInstant) {
        advance(to: now)
        circuit.setModemLines(lines, at: now)
        handleCircuit(now)
    }

    /// Sets the rate of the serial line, on behalf of its client.
    public func setClientRate(_ rate: Int) {
        clientRate = rate
        if case .loading(let loader) = state { loader.setClientRate(rate) }
    }

    /// True if DTR and RTS pull IO0 low now.
    public var linesPullIO0: Bool { circuit.linesPullIO0 }

    /// The output of a boot from flash before the application runs, computed without a boot.
    public var bootLog: [UInt8] {
        rom.boot(.flash, .powerOn).entries.flatMap { Array($0.text.utf8) }
    }

    /// Presses and releases the reset button.
    public func pressReset(at now: MonotonicInstant) {
        advance(to: now)
        circuit.pressReset(at: now)
        handleCircuit(now)
    }

    /// Holds or releases the BOOT button: a chip that starts while it is held enters download mode.
    public func setBootPressed(_ isPressed: Bool, at now: MonotonicInstant) {
        advance(to: now)
        circuit.isBootPressed = isPressed
    }

    /// Receives bytes from the serial line.
    ///
    /// - Parameter hasModemLines: whether the sender can reset the board with DTR and RTS. Otherwise a SYNC of the
    ///   loader protocol resets the board into download mode, where it answers the repeated SYNC.
    public func receive(_ bytes: [UInt8], hasModemLines: Bool, at now: MonotonicInstant) {
        advance(to: now)
        if case .loading(let loader) = state {
            if uart != nil {
                uart?.sendToChip(bytes, at: now, rate: loader.outputRate)
                return
            }
            loader.receive(bytes, at: now)
            drain(loader, now)
            return
        }
        if case .running = state { actions.append(.deliver(bytes)) }
        if !hasModemLines, bridge.containsSync(bytes) {
            circuit.pulse(into: .download)
            handleCircuit(now)
        }
    }

    /// The client of the serial port has closed it, which deasserts the modem lines, as a driver does at the last close
    /// (`HUPCL`). A client without modem lines could not make the board leave the loader, so the board then restarts.
    public func clientClosed(hasModemLines: Bool, at now: MonotonicInstant) {
        advance(to: now)
        bridge = DownloadBridge()
        clientRate = nil
        if hasModemLines {
            setModemLines(ModemLines(dtr: false, rts: false), at: now)
            return
        }
        guard case .loading = state else { return }
        circuit.pulse(into: .flash)
        handleCircuit(now)
    }

    /// The application wrote to its console.
    public func applicationWrote(_ bytes: [UInt8], at now: MonotonicInstant) {
        advance(to: now)
        if case .running = state { actions.append(.send(bytes)) }
    }

    /// The application has ended; its pending output is sent. Then the chip resets, enters deep sleep or, after a hang
    /// that no watchdog detects, does nothing until a reset.
    ///
    /// - Parameter wakeUp: the time at which the timer ends a deep sleep; `nil`: no timer.
    public func applicationEnded(_ end: ApplicationEnd, wakeUp: MonotonicInstant? = nil, at now: MonotonicInstant) {
        advance(to: now)
        guard case .running = state else { return }
        let text = Array(end.text.utf8)
        if !text.isEmpty { actions.append(.send(text)) }
        let next: AfterEnd =
            if end == .deepSleep {
                .sleep(until: wakeUp)
            } else {
                end.resetReason.map { .reset($0) } ?? .nothing(end.summary)
            }
        state = .ending(next, at: now.advanced(by: Self.characterTime * text.count))
    }

    /// True if the chip is in deep sleep.
    var isAsleep: Bool {
        if case .asleep = state { true } else { false }
    }

    /// Ends a deep sleep.
    func wake(at now: MonotonicInstant) {
        advance(to: now)
        if isAsleep { start(.flash, .deepSleep, now) }
    }

    // MARK: Time

    /// Lets time pass.
    public func advance(to now: MonotonicInstant) {
        while let deadline = nextDeadline, deadline <= now { step(deadline) }
    }

    private func step(_ instant: MonotonicInstant) {
        if circuit.nextDeadline == instant {
            circuit.advance(to: instant)
            handleCircuit(instant)
            return
        }
        if uart?.nextDeadline == instant {
            transfer(instant)
            return
        }
        switch state {
        case .booting(let script, let next, _):
            continueBoot(script, next, instant)
        case .greeting(let text, _):
            actions.append(.send(text))
            state = .greeting(text, next: greetingEnd(of: text.count, instant))
        case .loading(let loader):
            loader.advance(to: instant)
            drain(loader, instant)
        case .ending(.reset(let reason), _): start(.flash, reason, instant)
        case .ending(.sleep(let end), _):
            state = .asleep(until: end.map { max($0, instant) })
            actions.append(.chip(.asleep))
        case .ending(.nothing(let reason), _):
            state = .halted
            actions.append(.chip(.halted(reason)))
        case .asleep: start(.flash, .deepSleep, instant)
        case .stopped, .running, .halted:
            break
        }
    }

    /// The time at which a program repeats a greeting of `count` bytes.
    private func greetingEnd(of count: Int, _ now: MonotonicInstant) -> MonotonicInstant {
        now.advanced(by: Self.characterTime * count + Self.greetingPause)
    }

    /// Passes on the bytes that have arrived at either end of the loader's line.
    private func transfer(_ now: MonotonicInstant) {
        while let bytes = uart?.receiveAtClient(at: now) { actions.append(.send(bytes)) }
        while let bytes = uart?.receiveAtChip(at: now) {
            if case .loading(let loader) = state { loader.receive(bytes, at: now) }
        }
        if case .loading(let loader) = state { drain(loader, now) }
    }

    private func handleCircuit(_ now: MonotonicInstant) {
        for event in circuit.drainEvents() {
            switch event {
            case .reset:
                if case .running = state { actions.append(.stopApplication) }
                // A reset does not cut the flash chip's power: it completes the running operation, and receives no
                // further commands.
                try? flash.advance(to: now)
                flash.discardQueued()
                state = .stopped
            case .started(let mode):
                start(mode, .powerOn, now)
            }
        }
    }

    private func start(_ mode: ResetCircuit.BootMode, _ reason: ResetReason, _ now: MonotonicInstant) {
        // Only the file can fail; reading it then reports the same error.
        try? flash.advance(to: now)
        uart?.reset()
        actions.append(.chip(.started(reason, mode)))
        let script = rom.boot(mode, reason)
        state = .booting(script, next: 0, at: now.advanced(by: script.pause(before: 0)))
    }

    private func continueBoot(_ script: BootScript, _ next: Int, _ now: MonotonicInstant) {
        if next < script.entries.count {
            actions.append(.send(Array(script.entries[next].text.utf8)))
            state = .booting(script, next: next + 1, at: now.advanced(by: script.pause(before: next + 1)))
            return
        }
        switch script.outcome {
        case .download:
            let loader = SerialLoader(flash: flash, identity: identity, pace: pace)
            if let clientRate { loader.setClientRate(clientRate) }
            state = .loading(loader)
            actions.append(.chip(.loaderReady))
        case .application(let application):
            state = .running(application)
            actions.append(.chip(.applicationStarted))
            actions.append(.startApplication(application, script.reason))
        case .reset(let reason):
            start(.flash, reason, now)
        case .halt(let reason):
            state = .halted
            actions.append(.chip(.halted(reason)))
        }
    }

    private func drain(_ loader: SerialLoader, _ now: MonotonicInstant) {
        let rate = loader.outputRate
        var output = loader.drainOutput()
        let events = loader.drainEvents()
        // A program prints at once: directly behind the answer.
        if case .programStarted(let greeting?)? = events.last { output += Array(greeting.utf8) }
        if !output.isEmpty {
            if uart != nil {
                uart?.sendToClient(output, at: now, rate: rate)
            } else {
                actions.append(.send(output))
            }
        }
        for event in events {
            switch event {
            case .stubStarted: actions.append(.chip(.stubRunning))
            // A chip in its loader was started with the boot pins set to download.
            case .restarted: start(.download, .software, now)
            case .flashStarted:
                let script = rom.run()
                state = .booting(script, next: 0, at: now.advanced(by: script.pause(before: 0)))
            case .watchdogReset: start(circuit.pullsIO0 ? .download : .flash, .rtcWatchdog, now)
            case .programStarted(let greeting):
                actions.append(.chip(.programRunning))
                state = greeting.map { .greeting(Array($0.utf8), next: greetingEnd(of: $0.utf8.count, now)) } ?? .halted
            }
        }
    }
}
