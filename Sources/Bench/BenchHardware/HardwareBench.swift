public import BLECentral
public import Bench
import BenchExecutor
public import ESPFlasher
public import SerialPort

/// A bench in real time: a board behind a serial port, and a Bluetooth stack of this machine.
///
/// It works the same with a real board and with a virtual one offered by `espbench serve`.
public enum HardwareBench {
    /// The parts of a bench.
    public struct Configuration: Sendable {
        /// The bench's name.
        public var name: String
        /// Opens the board's port at 115200 baud.
        public var openPort: @Sendable () async throws -> any SerialPort
        /// The options of a session with the board's loader.
        public var loader: SessionOptions
        /// The stacks of the centrals, at least one: a single address, or several adapters with one central each.
        public var centrals: [CentralAddress]
        /// Switches the board's supply; `nil`: it cannot be switched.
        public var power: PowerSwitch?
        /// How a board is prepared for a case.
        public var freshness: Freshness
        /// The factor by which time limits are longer than in suites.
        public var timeFactor: Double

        /// A bench whose NVS is erased for each case.
        public init(
            name: String, openPort: @escaping @Sendable () async throws -> any SerialPort, loader: SessionOptions,
            centrals: [CentralAddress], power: PowerSwitch? = nil, freshness: Freshness = .erased,
            timeFactor: Double = 1
        ) {
            self.name = name
            self.openPort = openPort
            self.loader = loader
            self.centrals = centrals
            self.power = power
            self.freshness = freshness
            self.timeFactor = timeFactor
        }
    }

    /// How a board is prepared for a case.
    public enum Freshness: String, Hashable, Sendable, CaseIterable {
        /// The loader erases the NVS; then the board is reset: no data of earlier cases is left.
        case erased = "erase"
        /// The board is only reset: for sketches that store nothing.
        case reset
    }

    /// The kind of this bench; only one such bench exists at a time.
    public static func kind(_ configuration: Configuration) -> BenchKind {
        BenchKind(name: configuration.name, pace: .real, limit: 1) { seed, executor in
            let board = try await SerialBoard.open(configuration, executor)
            do {
                let centrals = try await HardwareCentrals.open(configuration.centrals, for: board, seed: seed)
                return Bench(
                    name: configuration.name, executor: executor, board: board, centrals: centrals, storage: board,
                    timeFactor: configuration.timeFactor)
            } catch {
                await board.closePort()
                throw error
            }
        }
    }

    /// Identifies the board, which stays in its loader.
    ///
    /// - Throws: `SerialPortError` or `FlasherError`.
    public static func identify(
        _ configuration: Configuration, clock: any Clock<Duration>
    ) async throws -> ConnectedBoard {
        try await configuration.power?.set(true)
        let port = try await configuration.openPort()
        do {
            var session = configuration.loader
            session.baudRate = nil
            let board = try await Flasher(port: port, clock: clock).open(session)
            await port.close()
            return board
        } catch {
            await port.close()
            throw error
        }
    }
}
