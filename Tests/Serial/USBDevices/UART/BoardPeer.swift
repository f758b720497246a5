#if canImport(VirtualBoard)
    package import BenchExecutor
    internal import MonotonicTime
    internal import SerialPort
    package import VirtualBoard

    /// A virtual board at the UART of a bridge, or one whose own USB controller the device is.
    ///
    /// TXD and RXD are connected to its serial line, DTR and RTS to its reset circuit. A bridge's rate counts: the board's
    /// UART at another rate reads garbage, and its output arrives as garbage.
    package actor BoardPeer: UARTPeer {
        private nonisolated let executor: BenchExecutor
        /// The executor of the bench.
        package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        private let board: VirtualBoard
        private let hasUART: Bool
        private var port: BoardPort?
        private var settings: UARTSettings
        /// The rate at which the board sends what has not been read yet.
        private var boardRate: Double = 115_200

        /// A board that is powered on already.
        ///
        /// - Parameter hasUART: whether the device is a bridge; otherwise it is the chip's own controller.
        package init(_ board: VirtualBoard, hasUART: Bool, settings: UARTSettings, on executor: BenchExecutor) {
            self.board = board
            self.hasUART = hasUART
            self.settings = settings
            self.executor = executor
        }

        private func openPort() async throws -> BoardPort {
            if let port { return port }
            let port = try await board.line.open()
            self.port = port
            return port
        }

        package func perform(_ effect: ChipEffect) async throws {
            let port = try await openPort()
            switch effect {
            case .transmit(let bytes):
                guard hasUART else { return try await port.write(bytes) }
                let received = settings.is8N1 ? bytes : bytes.map { _ in 0 }
                let rate = Double(await board.uartRate.baudRate)
                let sampled = UARTWaveform.received(received, senderRate: settings.rate, receiverRate: rate)
                if !sampled.isEmpty { try await port.write(sampled) }
            case .settings(let settings):
                self.settings = settings
                try await port.configure(SerialSettings(baudRate: Int(settings.rate.rounded())))
            case .lines(let lines):
                if hasUART { try await port.setModemLines(lines) }
            case .reset(let download):
                try await reset(port, download: download)
            case .breakCondition, .violation:
                break
            }
        }

        /// Resets the chip from within: EN is not pulled by lines, so the board's are used for it.
        private func reset(_ port: BoardPort, download: Bool) async throws {
            try await port.setModemLines(ModemLines(dtr: false, rts: true))
            try await port.pause(for: .milliseconds(1))
            try await port.setModemLines(ModemLines(dtr: download, rts: false))
            try await port.pause(for: ResetCircuit.riseTime + .milliseconds(1))
            try await port.setModemLines(ModemLines(dtr: false, rts: false))
        }

        package func read(at settings: @Sendable () async -> UARTSettings) async throws -> [UInt8] {
            let port = try await openPort()
            let bytes = try await port.read(upTo: 16_384, within: nil)
            guard hasUART else { return bytes }
            let current = await board.uartRate
            // The answer to a change of the rate is sent at the former rate.
            let rate = current.isLoader ? boardRate : Double(current.baudRate)
            boardRate = Double(current.baudRate)
            let own = await settings()
            return UARTWaveform.received(bytes, senderRate: rate, receiverRate: own.rate)
        }

        package func disconnected() async {
            await port?.close()
            port = nil
        }
    }
#endif
