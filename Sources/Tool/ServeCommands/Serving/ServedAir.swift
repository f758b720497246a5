#if canImport(VirtualBoard)
    package import BenchExecutor
    package import BLECore
    import BLEPackets
    package import BLEPeripheral
    import BLERadio
    import BLERadioServing
    import BoardConsole
    import CommandSupport
    package import Console
    import MonotonicTime
    import SerialPort
    import VirtualBoard

    /// Virtual boards, peripherals written in Swift, and controllers on one air, served over TCP until the program is ended.
    package struct ServedAir: Sendable {
        /// The first peripheral's address; the next ones have consecutive addresses.
        private static let firstPeripheralAddress: UInt64 = 0x02EB_0001_0001

        let radio: Radio
        private let host: String
        private let showsConsole: Bool
        private let isJSON: Bool
        private let keyboard: ServeKeyboard
        private let executor: BenchExecutor
        private let output: Output
        private let addresses = ControllerAddresses()
        private var boards: [ServedBoard] = []
        private var serial: [(offer: SerialOffer, line: BoardLine, board: ServedBoard)] = []
        private var uarts: [(offer: SerialOffer, farEnd: FarEndLine, board: ServedBoard)] = []
        private var peripherals: [BLEPeripheral] = []
        private var controllers: [(server: H4Server, choice: ControllerChoice)] = []
        /// The controllers of the kernel's adapters.
        private var attached: [(kind: ControllerKind, address: DeviceAddress)] = []
        private var capture: CaptureFile?

        /// An air without boards, to be served on the address `host`; `seed` is the seed of its random numbers.
        ///
        /// - Parameters:
        ///   - takesKeys: whether keys are read from standard input even if it is not a terminal.
        ///   - isJSON: whether addresses and lines of consoles are printed as objects.
        package init(
            host: String, seed: UInt64, showsConsole: Bool, takesKeys: Bool = false, isJSON: Bool = false,
            _ executor: BenchExecutor, _ output: Output
        ) {
            self.isJSON = isJSON
            radio = Radio(executor, seed: seed)
            self.host = host
            self.showsConsole = showsConsole
            keyboard = ServeKeyboard(takesKeys: takesKeys, output)
            self.executor = executor
            self.output = output
        }

        /// Adds a board on this air, whose serial line is served by `offers`.
        ///
        /// - Parameters:
        ///   - crashes: gives the places of a crash.
        ///   - runsSketches: whether the board can use its radio.
        package mutating func add(
            _ board: LocalBoard, sketch: String, crashes: CrashLines, runsSketches: Bool = true, _ offers: [SerialOffer]
        ) async throws {
            let served = ServedBoard(
                board, name: sketch, showsConsole: showsConsole, isJSON: isJSON, crashes: crashes, output, executor)
            boards.append(served)
            if runsSketches { try reserve(board.board.bluetoothAddress) }
            let line = await board.board.line
            for offer in offers { serial.append((offer, line, served)) }
            if let note = SerialOffer.note(offers, resetKeys: keyboard.isUsed ? "the keys r and l" : nil) {
                output.note(note)
            }
            guard runsSketches else { return }
            output.note("\(sketch) has the Bluetooth address \(board.board.bluetoothAddress)")
        }

        /// Serves the far end of a UART of the board that was added last.
        package mutating func add(_ offer: SerialOffer, toUART uart: Int, watchesRTS: Bool) async {
            guard let board = boards.last else { return }
            uarts.append((offer, await board.wire(uart: uart, watchesRTS: watchesRTS), board))
        }

        /// Adds a peripheral written in Swift on this air; it starts when the air is served.
        package mutating func add(_ definition: PeripheralDefinition, behaviour: HostBehaviour) async throws {
            let number = UInt64(peripherals.count)
            let address = DeviceAddress(Self.firstPeripheralAddress + number, .public)
            try reserve(address)
            let port = await radio.attach(address: address)
            peripherals.append(try BLEPeripheral(definition, behaviour: behaviour, on: port, executor: executor))
            output.note("\(definition.name) has the Bluetooth address \(address)")
        }

        /// Adds a TCP port that gives each host a new controller, or, with an address, one host at a time the
        /// controller with that address.
        package mutating func add(_ offer: H4Offer) throws {
            let choice = offer.controller
            if let address = choice.address { try reserve(address) }
            do {
                let server = try H4Server(
                    radio, executor, personality: choice.kind.personality, address: choice.address,
                    addresses: addresses, host: host, port: offer.port
                ) { [output] in output.note($0) }
                controllers.append((server, choice))
            } catch {
                throw CommandFailure(.portFailed, "\(error)", code: "serve.noPort")
            }
        }

        /// Adds an adapter of this machine's kernel; it appears when the air is served.
        package mutating func attach(_ choice: ControllerChoice) throws {
            if let address = choice.address { try reserve(address) }
            attached.append((choice.kind, choice.address ?? addresses.allocate()))
        }

        private func reserve(_ address: DeviceAddress) throws(CommandFailure) {
            guard addresses.reserve(address) else {
                throw CommandFailure(
                    .usage, "two controllers on this air have the address \(address)", code: "serve.sameAddress")
            }
        }

        /// Writes all HCI packets to the file at `path` from now on.
        package mutating func capture(to path: String, _ environment: Environment) async throws {
            let file = try CaptureFile(
                path, startingAt: environment.wallTime() - executor.now.nanoseconds / 1000, isBuffered: false, output)
            capture = file
            await file.observe(radio)
        }

        /// Prints the addresses, powers the boards, and serves clients until the user ends it.
        package func run() async throws {
            try await keyboard.run(
                boards: boards.map(\.name), help: ServeKey.help(boardCount: boards.count),
                perform: { [boards] key, index in
                    await boards[index].perform(key)
                    return true
                },
                { try await serve(until: $0) })
        }

        /// Prints the addresses, powers the boards, starts the peripherals, and serves clients until `end` returns.
        package func serve(until end: () async -> Void) async throws {
            func number(_ board: ServedBoard) -> Int? {
                boards.count > 1 ? boards.firstIndex { $0 === board }.map { $0 + 1 } : nil
            }
            let adapters = try attached.map { try ServedAdapter($0.kind, $0.address) }
            let addresses =
                serial.map { ServedAddress(address: $0.offer.address, board: $0.board.name, number: number($0.board)) }
                + uarts.map { offer, farEnd, board in
                    ServedAddress(
                        address: offer.address, board: board.name, number: number(board), uart: farEnd.uart)
                }
                + controllers.map { server, choice in
                    ServedAddress(
                        address: "h4://\(host):\(server.port)", controller: choice.kind.rawValue,
                        bluetooth: choice.address.map { "\($0)" })
                } + adapters.map(\.served)
            for address in addresses { output.data(try address.line(isJSON: isJSON)) }
            // Without the addresses no client could connect.
            try output.checkData()
            for board in boards { await board.start(number: number(board)) }
            for peripheral in peripherals { try await peripheral.start() }
            await withTaskGroup(of: Void.self) { group in
                for (offer, line, board) in serial {
                    group.addTask {
                        await offer.run { try await open(line, to: offer, of: board) }
                    }
                }
                for (offer, farEnd, _) in uarts {
                    let line = await farEnd.line
                    group.addTask { await offer.run { try await line.open(hasModemLines: false, resetsItself: false) } }
                }
                for (server, _) in controllers {
                    group.addTask { await server.run() }
                }
                for adapter in adapters {
                    group.addTask { await adapter.run(on: radio, output) }
                }
                await end()
                for (offer, _, _) in serial { offer.stop() }
                for (offer, _, _) in uarts { offer.stop() }
                for (server, _) in controllers { server.stop() }
                for adapter in adapters { adapter.stop() }
            }
            for peripheral in peripherals { await peripheral.stop() }
            for board in boards { try await board.end() }
            try capture?.finish()
        }

        private func open(_ line: BoardLine, to offer: SerialOffer, of board: ServedBoard) async throws
            -> any SerialPort
        {
            let port = try await line.open(
                hasModemLines: offer.hasModemLines, resetsItself: offer.resetsBoard)
            let dropped = port.backlog.droppedCount
            if dropped > 0 {
                output.note(
                    "\(board.name): of its output without a client the last \(port.backlog.bytes.count) bytes were "
                        + "buffered; \(dropped) earlier bytes are lost")
            }
            return port
        }
    }
#endif
