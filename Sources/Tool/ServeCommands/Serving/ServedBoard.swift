#if canImport(VirtualBoard)
    internal import BenchExecutor
    import BoardConsole
    import CommandSupport
    internal import Console
    import ESPChips
    import MonotonicTime
    import VirtualBoard

    /// A served board: its console, its log, and its buttons.
    actor ServedBoard {
        /// The maximum console output buffered for the next client, in bytes.
        static let backlogLimit = 65_536
        /// The duration of a button press by a key: sketches treat it as a short press, and it is long enough for the
        /// chip to start.
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
        private let isJSON: Bool
        /// The board's number, if there are several.
        private var number: Int?
        private var lines = LineAssembler()
        private var origin = MonotonicInstant.zero
        private var alarm: Alarm
        /// True if a flasher uses the line; the loader's binary answers are not shown.
        private var isLoading = false
        private var isPowered = false
        private var isBootHeld = false
        private var crashes: CrashLines
        private var farEnds: [FarEndLine] = []
        /// Lines received while the addresses of an earlier line are resolved; `nil`: no resolution is in progress.
        private var heldLines: [ConsoleLine]?

        /// The board `local`, called `name` in the log; `crashes` resolves the addresses of a crash.
        init(
            _ local: LocalBoard, name: String, showsConsole: Bool, isJSON: Bool, crashes: CrashLines, _ output: Output,
            _ executor: BenchExecutor
        ) {
            self.isJSON = isJSON
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
        /// - Parameter number: the number of the board, if there are several: printed with each console line.
        func start(number: Int?) async {
            self.number = number
            origin = executor.now
            await local.board.line.bufferOutput(upTo: Self.backlogLimit)
            await local.board.setObserver { [weak self] event in
                self?.assumeIsolated { $0.handle(event) }
            }
            isPowered = true
            await local.board.powerOn()
        }

        /// Powers the board off, which completes the flash file.
        func end() async throws {
            try await local.end()
        }

        /// Connects a program to a UART beside the console.
        func wire(uart: Int, watchesRTS: Bool) async -> FarEndLine {
            let farEnd = await FarEndLine(of: uart, at: local.board, watchesRTS: watchesRTS)
            await farEnd.line.bufferOutput(upTo: Self.backlogLimit)
            farEnds.append(farEnd)
            return farEnd
        }

        private func handle(_ event: VirtualBoardEvent) {
            switch event {
            case .console(let bytes) where (showsConsole || output.log != nil) && !isLoading:
                for line in lines.append(bytes, at: executor.now) { show(line) }
                let deadline = lines.hasPartialLine ? executor.now.advanced(by: Self.partialLineDelay) : nil
                alarm.set(
                    deadline,
                    { [weak self] in
                        self?.assumeIsolated { board in
                            board.alarm.fired()
                            if let line = board.lines.flush() { board.show(line) }
                        }
                    })
            case .uart(let uart, let bytes):
                for farEnd in farEnds where farEnd.uart == uart { farEnd.assumeIsolated { $0.deliver(bytes) } }
            case .chip(.loaderReady): isLoading = true
            case .chip(.started): isLoading = false
            case .chip(.halted(let reason)): output.note("\(name): the board does not start: \(reason)")
            case .conflict(let pin, let fault): output.note("\(name): pin \(pin): \(fault)")
            case .partMisused(let part, let fault): output.note("\(name): \(part): \(fault)")
            case .fault(let fault): output.note("\(name): the sketch could not be run: \(fault)")
            default: break
            }
        }

        private func show(_ line: ConsoleLine) {
            guard heldLines == nil else {
                heldLines?.append(line)
                return
            }
            print(
                StampedLine.text(line, since: origin), "line", line.text,
                at: origin.duration(to: line.time).wholeNanoseconds / 1_000_000)
            guard crashes.mayDecode(line.text) else { return }
            heldLines = []
            Task {
                var crashes = crashes
                let texts = await crashes.lines(below: line.text)
                self.crashes = crashes
                for text in texts {
                    print(StampedLine.continuation(text), "note", text)
                }
                let held = heldLines ?? []
                heldLines = nil
                for line in held { show(line) }
            }
        }

        /// Prints a line of the console, or writes it to the log only; with --json as an object with the text alone.
        private func print(_ stamped: String, _ event: String, _ text: String, at milliseconds: Int64? = nil) {
            let line = (number.map { "\($0) \(name) " } ?? "") + stamped + "\n"
            guard showsConsole else { return output.record(line.utf8) }
            guard isJSON else { return output.data(line) }
            let object = ServedLine(event: event, board: name, number: number, milliseconds: milliseconds, text: text)
            if let object = try? JSONLine.text(object) { output.data(object + "\n", logged: line) }
        }

        /// Performs a key; returns when the button is released again, so that the next key does not undo its effect.
        func perform(_ key: ServeKey) async {
            let board = local.board
            switch key {
            case .pressBoot where isBootHeld, .holdBoot where isBootHeld:
                isBootHeld = false
                await board.releaseButton()
                output.note("\(name): BOOT released")
            case .pressBoot:
                output.note("\(name): BOOT pressed")
                await pressBoot {}
            case .holdBoot:
                isBootHeld = true
                await board.pressButton()
                output.note("\(name): BOOT held")
            case .reset:
                output.note(isPowered ? "\(name): reset" : "\(name): no reset without power")
                await board.reset()
                await pause()
            case .resetIntoLoader:
                output.note(isPowered ? "\(name): reset into the loader" : "\(name): no reset without power")
                await pressBoot { await board.reset() }
            case .power:
                isPowered.toggle()
                output.note("\(name): power \(isPowered ? "on" : "off")")
                await isPowered ? board.powerOn() : powerOff()
            case .choose, .quit: break
            }
        }

        private func pressBoot(_ body: () async -> Void) async {
            await local.board.pressButton()
            await body()
            await pause()
            if !isBootHeld { await local.board.releaseButton() }
        }

        /// Ends early when the program ends.
        private func pause() async { try? await BenchClock(executor).sleep(for: Self.pressTime) }

        private func powerOff() async {
            do {
                try await local.board.powerOff()
            } catch {
                output.note("\(name): \(error)")
            }
        }
    }
#endif
