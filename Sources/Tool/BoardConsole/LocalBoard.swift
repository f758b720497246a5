#if canImport(VirtualBoard)
    package import BenchExecutor
    import BLERadio
    import CommandSupport
    package import Console
    import ESPChips
    import ESPFlasher
    import ESPImage
    import FirmwareBuild
    import Foundation
    import SerialPort
    import VirtualBoard

    /// This user's virtual board in this process; its flash is a file, so that a later command boots what an earlier
    /// one flashed.
    package struct LocalBoard: Sendable {
        package let board: VirtualBoard
        private let executor: BenchExecutor

        /// Board `number` of this user, on `radio` or on a new one, with its flash in `flashFile` or in the state
        /// folder. `seed` is the seed of its random numbers.
        ///
        /// - Throws: `FlashError` when another process uses the file, or it is not a flash; ``CommandFailure`` when its
        ///   folder cannot be created.
        package init(
            flashFile: String?, number: UInt32 = 1, on radio: Radio? = nil, seed: UInt64,
            hardware: ServedHardware = ServedHardware(), _ executor: BenchExecutor, _ environment: Environment
        ) throws {
            let key = try Project.sealingKey(environment)
            let name = number == 1 ? "board.flash" : "board-\(number).flash"
            let path = try flashFile ?? environment.stateFolder + "/" + name
            let folder = URL(filePath: path).deletingLastPathComponent().path
            do throws(FirmwareBuildError) {
                try FileTree.makeFolder(folder)
            } catch {
                throw CommandFailure(.flashFailed, error.detail)
            }
            var configuration = VirtualBoard.Configuration(
                name: "virtual ESP32", flashPath: path, number: number, key: key, seed: seed)
            hardware.apply(to: &configuration)
            board = try VirtualBoard(configuration, on: radio ?? Radio(executor, seed: seed), executor)
            self.executor = executor
        }

        /// Board `number` with `hardware`, on `radio`; its flash is in `flashFile`, or in memory and erased.
        ///
        /// An ESP32 runs the sketches of this user.
        package init(
            _ hardware: ServedHardware, flashFile: String?, number: UInt32, on radio: Radio, seed: UInt64,
            _ executor: BenchExecutor, _ environment: Environment
        ) throws {
            let key = hardware.chip == .esp32 ? try Project.sealingKey(environment) : nil
            var configuration = VirtualBoard.Configuration(
                name: "virtual \(hardware.chip.name)", flashPath: flashFile, number: number, key: key, seed: seed)
            hardware.apply(to: &configuration)
            board = try VirtualBoard(configuration, on: radio, executor)
            self.executor = executor
        }

        /// Flashes the board in virtual time.
        package func flash(
            _ layout: FlashLayout, _ output: Output, job: FlashJob = FlashJob()
        ) async throws {
            executor.pace = .virtual
            defer { executor.pace = .real }
            let board = board
            let port = PortOpener(name: "the virtual board", clock: BenchClock(executor)) {
                let port = try await board.line.open()
                await board.powerOn()
                return port
            }
            // Without a stub, which saves no time of the board.
            let sessions = BoardSessions([port], SessionOptions(baudRate: SessionOptions.usualBaudRate), output)
            do {
                _ = try await sessions.run { session in
                    try await job.run(layout, session)
                    return .passed
                }
            } catch {
                // The loader only reports that the flash failed.
                if let fault = await board.flashFault { throw fault }
                throw error
            }
            // The sketch itself is started by a command that shows its console.
            let problems = BootProblems.lines(in: await board.bootLog)
            for line in BootReport.lines(problems, after: layout) { output.note(line) }
        }

        /// Powers the board if it is off, and shows its console until the session ends.
        package func monitor(
            _ output: Output, crashes: CrashLines, _ settings: MonitorSettings, wallTime: Int64
        ) async throws -> ExitReason {
            await board.setObserver { event in
                if case .fault(let text) = event { output.note("error: \(text)") }
            }
            let port = try await board.line.open()
            await board.powerOn()
            let session = MonitorSession(
                port: port, output: output, executor: executor, crashes: crashes, settings: settings,
                wallTime: wallTime)
            let reason: ExitReason
            do {
                reason = try await session.run()
            } catch {
                try? await end()
                throw error
            }
            try await end()
            return reason
        }

        /// Powers the board off, which completes the flash file.
        ///
        /// - Throws: `FlashError` when the file could not be written.
        package func end() async throws {
            try await board.powerOff()
            if let fault = await board.flashFault { throw fault }
        }
    }

    extension FlashError: FailureConvertible {
        package var commandFailure: CommandFailure {
            CommandFailure(.flashFailed, description, code: "flashFile.\(code)")
        }
    }
#else
    package import BenchExecutor
    package import Console
    import ESPImage

    /// The replacement on systems without a virtual board: every use is an error.
    package struct LocalBoard: Sendable {
        package init(
            flashFile: String?, seed: UInt64, _ executor: BenchExecutor, _ environment: Environment
        ) throws {
            throw CommandFailure(.flashFailed, "this system has no virtual board", code: "board.noVirtual")
        }

        package func flash(
            _ layout: FlashLayout, _ output: Output, job: FlashJob = FlashJob()
        ) async throws {}
        package func monitor(
            _ output: Output, crashes: CrashLines, _ settings: MonitorSettings, wallTime: Int64
        ) async throws -> ExitReason { .passed }
        package func end() async throws {}
    }
#endif
