#if canImport(VirtualBoard)
    import Console
    import MonotonicTime
    internal import BenchExecutor
    import VirtualBoard

    /// A board that is served: its console, its log, and its buttons.
    actor ServedBoard {
        /// How much of what a board prints while it has no client is kept for the next one, in bytes.
        static let backlogLimit = 65_536
        /// How long a key presses BOOT: a sketch that tells presses apart takes it for a short one.
        private static let pressTime = Duration.milliseconds(200)
        /// How long a line that has begun waits for its end before it is shown as it is.
        private static let patience = Duration.milliseconds(250)

        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        private nonisolated let executor: BenchExecutor
        /// What the board is called in the log.
        nonisolated let name: String
        private let local: LocalBoard
        private let output: Output
        private let showsConsole: Bool
        private var lines = LineAssembler()
        private var origin = MonotonicInstant.zero
        private var alarm: Alarm
        /// Whether a flasher has the line: what its loader answers is nothing to read.
        private var isLoading = false
        private var isPowered = false
        private var isBootHeld = false

        /// The board `local`, which the log calls `name`.
        init(_ local: LocalBoard, name: String, showsConsole: Bool, _ output: Output, _ executor: BenchExecutor) {
            self.local = local
            self.name = name
            self.showsConsole = showsConsole
            self.output = output
            self.executor = executor
            alarm = Alarm(executor)
        }

        /// Gives the board power, and keeps what it prints for its first client.
        ///
        /// - Parameter prefix: what stands before each line of its console.
        func start(prefix: String) async {
            origin = executor.now
            await local.board.line.bufferOutput(upTo: Self.backlogLimit)
            await local.board.setObserver { [weak self] event in
                self?.assumeIsolated { $0.handle(event, prefix) }
            }
            isPowered = true
            await local.board.powerOn()
        }

        /// Takes the power, so that the flash is complete in its file.
        func end() async throws {
            try await local.end()
        }

        private func handle(_ event: VirtualBoardEvent, _ prefix: String) {
            switch event {
            case .console(let bytes) where showsConsole && !isLoading:
                for line in lines.append(bytes, at: executor.now) { show(line, prefix) }
                let deadline = lines.hasPartialLine ? executor.now.advanced(by: Self.patience) : nil
                alarm.set(deadline) { [weak self] in
                    self?.assumeIsolated { board in
                        board.alarm.fired()
                        if let line = board.lines.flush() { board.show(line, prefix) }
                    }
                }
            case .note(.loaderReady): isLoading = true
            case .note(.started): isLoading = false
            case .note(.halted(let reason)): output.note("\(name): the board does not start: \(reason)")
            case .fault(let fault): output.note("\(name): the sketch could not be run: \(fault)")
            default: break
            }
        }

        private func show(_ line: ConsoleLine, _ prefix: String) {
            output.data(prefix + StampedLine.text(line, since: origin) + "\n")
        }

        /// Does what a key asks for.
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
                executor.schedule(at: executor.now.advanced(by: Self.pressTime)) { [weak self] in
                    self?.assumeIsolated { $0.endPress() }
                }
            case .holdBoot:
                isBootHeld = true
                await board.pressButton()
                output.note("\(name): BOOT held")
            case .reset:
                await board.reset()
                output.note(isPowered ? "\(name): reset" : "\(name): no reset without power")
            case .power:
                isPowered.toggle()
                output.note("\(name): power \(isPowered ? "on" : "off")")
                await isPowered ? board.powerOn() : powerOff()
            case .choose, .quit: break
            }
        }

        private func endPress() {
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
