#if canImport(VirtualBoard)
    internal import Console
    import MonotonicTime
    internal import BenchExecutor
    import VirtualBoard

    /// A served board: its console, its log, and its buttons.
    actor ServedBoard {
        /// The maximum console output buffered for the next client, in bytes.
        static let backlogLimit = 65_536
        /// How long a key presses BOOT; sketches treat it as a short press.
        private static let pressTime = Duration.milliseconds(200)
        /// How long an incomplete line is held before it is shown.
        private static let partialLineDelay = Duration.milliseconds(250)

        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        private nonisolated let executor: BenchExecutor
        /// The board's name in the log.
        nonisolated let name: String
        private let local: LocalBoard
        private let output: Output
        private let showsConsole: Bool
        private var lines = LineAssembler()
        private var origin = MonotonicInstant.zero
        private var alarm: Alarm
        /// Whether a flasher uses the line; the loader's binary answers are not shown.
        private var isLoading = false
        private var isPowered = false
        private var isBootHeld = false
        /// Whether a key for the loader still presses BOOT, until the chip has sampled it.
        private var isEnteringLoader = false
        /// The number of brief presses; the end of each but the last is void.
        private var presses = 0
        private var crashes: CrashLines
        /// Lines that came while the addresses of an earlier one are looked up; `nil`: none are.
        private var heldLines: [ConsoleLine]?

        /// The board `local`, called `name` in the log; `crashes` gives the places of a crash.
        init(
            _ local: LocalBoard, name: String, showsConsole: Bool, crashes: CrashLines, _ output: Output,
            _ executor: BenchExecutor
        ) {
            self.local = local
            self.crashes = crashes
            self.name = name
            self.showsConsole = showsConsole
            self.output = output
            self.executor = executor
            alarm = Alarm(executor)
        }

        /// Powers the board, and buffers its output for the first client.
        ///
        /// - Parameter prefix: printed before each line of its console.
        func start(prefix: String) async {
            origin = executor.now
            await local.board.line.bufferOutput(upTo: Self.backlogLimit)
            await local.board.setObserver { [weak self] event in
                self?.assumeIsolated { $0.handle(event, prefix) }
            }
            isPowered = true
            await local.board.powerOn()
        }

        /// Powers the board off, which completes the flash file.
        func end() async throws {
            try await local.end()
        }

        private func handle(_ event: VirtualBoardEvent, _ prefix: String) {
            switch event {
            case .console(let bytes) where showsConsole && !isLoading:
                for line in lines.append(bytes, at: executor.now) { show(line, prefix) }
                let deadline = lines.hasPartialLine ? executor.now.advanced(by: Self.partialLineDelay) : nil
                alarm.set(deadline) { [weak self] in
                    self?.assumeIsolated { board in
                        board.alarm.fired()
                        if let line = board.lines.flush() { board.show(line, prefix) }
                    }
                }
            case .chip(.loaderReady): isLoading = true
            case .chip(.started): isLoading = false
            case .chip(.halted(let reason)): output.note("\(name): the board does not start: \(reason)")
            case .fault(let fault): output.note("\(name): the sketch could not be run: \(fault)")
            default: break
            }
        }

        private func show(_ line: ConsoleLine, _ prefix: String) {
            guard heldLines == nil else {
                heldLines?.append(line)
                return
            }
            output.data(prefix + StampedLine.text(line, since: origin) + "\n")
            guard crashes.mayDecode(line.text) else { return }
            heldLines = []
            Task {
                var crashes = crashes
                let texts = await crashes.lines(below: line.text)
                self.crashes = crashes
                for text in texts {
                    output.data(prefix + StampedLine.continuation(text) + "\n")
                }
                let held = heldLines ?? []
                heldLines = nil
                for line in held { show(line, prefix) }
            }
        }

        /// Performs a key.
        func perform(_ key: ServeKey) async {
            let board = local.board
            switch key {
            case .pressBoot where isBootHeld, .holdBoot where isBootHeld:
                isBootHeld = false
                await board.releaseButton()
                output.note("\(name): BOOT released")
            case .pressBoot:
                await board.pressButton()
                output.note("\(name): BOOT pressed")
                scheduleEndOfPress()
            case .holdBoot:
                isBootHeld = true
                await board.pressButton()
                output.note("\(name): BOOT held")
            case .reset:
                // A reset that follows one into the loader at once must not sample BOOT as pressed.
                if isEnteringLoader { endPress(presses) }
                await board.reset()
                output.note(isPowered ? "\(name): reset" : "\(name): no reset without power")
            case .resetIntoLoader:
                isEnteringLoader = true
                await board.pressButton()
                await board.reset()
                output.note(isPowered ? "\(name): reset into the loader" : "\(name): no reset without power")
                scheduleEndOfPress()
            case .power:
                isPowered.toggle()
                output.note("\(name): power \(isPowered ? "on" : "off")")
                await isPowered ? board.powerOn() : powerOff()
            case .choose, .quit: break
            }
        }

        private func scheduleEndOfPress() {
            presses += 1
            executor.schedule(at: executor.now.advanced(by: Self.pressTime)) { [weak self, presses] in
                self?.assumeIsolated { $0.endPress(presses) }
            }
        }

        private func endPress(_ number: Int) {
            guard number == presses else { return }
            isEnteringLoader = false
            if !isBootHeld { local.board.assumeIsolated { $0.releaseButton() } }
        }

        private func powerOff() async {
            do {
                try await local.board.powerOff()
            } catch {
                output.note("\(name): \(error)")
            }
        }
    }
#endif
