public import BenchModel
import FlyingFox
import Foundation

/// The parts of a bench that a page shows and controls.
public struct LiveBench: Sendable {
    /// The boards.
    public var boards: [any LiveBoard]
    /// The air.
    public var air: (any LiveAir)?
    /// The phone.
    public var phone: (any LivePhone)?
    /// The time.
    public var clock: (any LiveClock)?

    /// A bench of these parts.
    public init(
        boards: [any LiveBoard] = [], air: (any LiveAir)? = nil, phone: (any LivePhone)? = nil,
        clock: (any LiveClock)? = nil
    ) {
        self.boards = boards
        self.air = air
        self.phone = phone
        self.clock = clock
    }

    /// Performs a command.
    ///
    /// - Throws: the error of the part; ``RequestFault`` when the bench has no such part.
    package func perform(_ command: LiveCommand) async throws {
        switch command {
        case .board(let number, let command):
            let board = try part(boards.indices.contains(number) ? boards[number] : nil)
            switch command {
            case .power(let isOn): try await board.setPower(isOn)
            case .reset: try await board.reset()
            case .button(let pin, let isPressed): try await board.setButton(pin: pin, isPressed: isPressed)
            case .type(let line): try await board.type(line)
            case .set(let part, let quantity, let value): try await board.set(part, quantity, to: value)
            case .plug(let part, let isPlugged): try await board.setPlugged(part, isPlugged)
            }
        case .listen(let isOn): try await part(air).listen(isOn)
        case .search(let isOn): try await part(phone).search(isOn)
        case .connect(let peer): try await part(phone).connect(to: peer)
        case .disconnect: try await part(phone).disconnect()
        case .read(let characteristic): try await part(phone).read(characteristic)
        case .write(let characteristic, let value, let hasResponse):
            try await part(phone).write(value, to: characteristic, hasResponse: hasResponse)
        case .subscribe(let characteristic, let isOn): try await part(phone).subscribe(characteristic, isOn)
        case .pair: try await part(phone).pair()
        case .answer(let isAccepted, let passkey):
            try await part(phone).answer(isAccepted: isAccepted, passkey: passkey)
        case .forget: try await part(phone).forget()
        case .open(let app, let isOn): try await part(phone).open(app, isOn)
        case .press(let key): try await part(phone).press(key)
        case .lock(let isLocked): try await part(phone).setLock(isLocked)
        case .speed(let speed): try await part(clock).setSpeed(speed)
        case .step(let duration): try await part(clock).step(by: duration)
        case .stepToNextEvent: try await part(clock).stepToNextEvent()
        }
    }

    private func part<Part>(_ part: Part?) throws(RequestFault) -> Part {
        guard let part else { throw RequestFault(.conflict, "this bench has no such part") }
        return part
    }
}

extension LiveRoutes {
    /// Adds the commands of a page. The answer is 204, or the reason why a command failed.
    public mutating func addCommands(_ bench: LiveBench) {
        add(.POST, "/command") { request in
            do {
                let command = try LiveCommand(try await request.bodyData)
                try await bench.perform(command)
                return HTTPResponse(statusCode: .noContent)
            } catch let fault as RequestFault {
                return fault.response
            } catch {
                // The command is valid; the bench reports why it failed.
                return RequestFault(.conflict, "\(error)").response
            }
        }
    }
}

/// Controls listening to the air.
public protocol LiveAir: Sendable {
    /// Starts or stops listening.
    func listen(_ isOn: Bool) async throws
}

/// The state of the air that the page shows.
public struct AirState: Sendable, Encodable, Equatable {
    /// A device that advertises.
    public struct Peer: Sendable, Encodable, Equatable {
        /// Identifies it for commands.
        public var id: String
        /// The peer's name; `nil`: not known.
        public var name: String?
        /// The peer's signal strength in dBm; `nil`: not known.
        public var rssi: Int?
        /// The colour for the signal strength, as in HTML.
        public var color: String
        /// Names or UUIDs of the services that it advertises.
        public var services: [String]
        /// The number of advertisements received from the peer.
        public var count: Int
        /// When its last advertisement was received, in milliseconds of the bench's clock.
        public var time: Double

        /// A peer.
        public init(
            id: String, name: String?, rssi: Int?, color: String, services: [String], count: Int, time: Double
        ) {
            self.id = id
            self.name = name
            self.rssi = rssi
            self.color = color
            self.services = services
            self.count = count
            self.time = time
        }
    }

    /// A connection.
    public struct Link: Sendable, Encodable, Equatable {
        /// The central, and the peripheral.
        public var central, peripheral: String
        /// The signal strength of the peripheral at the central in dBm; `nil`: not known.
        public var rssi: Int?

        /// A connection.
        public init(central: String, peripheral: String, rssi: Int?) {
            self.central = central
            self.peripheral = peripheral
            self.rssi = rssi
        }
    }

    /// True while the bench listens to the air.
    public var isListening = false
    /// The advertisers, nearest first.
    public var peers: [Peer] = []
    /// The current connections.
    public var links: [Link] = []

    /// A state without peers and connections.
    public init() {}
}

/// A board as the page shows and controls it.
public protocol LiveBoard: Sendable {
    /// Switches the supply.
    func setPower(_ isOn: Bool) async throws

    /// Pulls EN low and releases it.
    func reset() async throws

    /// Presses or releases the button that pulls `pin` to ground.
    func setButton(pin: Int, isPressed: Bool) async throws

    /// Sends a line to the console.
    func type(_ line: String) async throws

    /// Sets a quantity of a part that is wired to it.
    func set(_ part: String, _ quantity: String, to value: Double) async throws

    /// Unplugs a part, or plugs it in again.
    func setPlugged(_ part: String, _ isPlugged: Bool) async throws
}

/// The state of a board that the page shows.
public struct BoardState: Sendable, Encodable, Equatable {
    /// A pin that the firmware drives.
    public struct Pin: Sendable, Encodable, Equatable {
        /// GPIO number.
        public var pin: Int
        /// True if the pin is high.
        public var isHigh: Bool

        /// A pin.
        public init(pin: Int, isHigh: Bool) {
            self.pin = pin
            self.isHigh = isHigh
        }
    }

    /// A PWM signal of a pin.
    public struct Signal: Sendable, Encodable, Equatable {
        /// GPIO number.
        public var pin: Int
        /// The frequency in hertz.
        public var frequency: Double
        /// The share of a period in which the pin is high, in percent.
        public var duty: Double

        /// A signal.
        public init(pin: Int, frequency: Double, duty: Double) {
            self.pin = pin
            self.frequency = frequency
            self.duty = duty
        }
    }

    /// A servo.
    public struct Servo: Sendable, Encodable, Equatable {
        /// GPIO number.
        public var pin: Int
        /// True if the firmware sends it a signal.
        public var isAttached: Bool
        /// In degrees, 0...180; `nil`: not known.
        public var angle: Int?

        /// A servo.
        public init(pin: Int, isAttached: Bool, angle: Int?) {
            self.pin = pin
            self.isAttached = isAttached
            self.angle = angle
        }
    }

    /// The last crash of the firmware.
    public struct Crash: Sendable, Encodable, Equatable {
        /// In milliseconds of the bench's clock.
        public var time: Double
        /// The kind of crash: `panic`, `watchdog`, …
        public var kind: String
        /// The panic handler's message.
        public var message: String
        /// The backtrace, innermost frame first, one line each: `loop() at Sketch.ino:12`.
        public var frames: [String]

        /// A crash.
        public init(time: Double, kind: String, message: String, frames: [String]) {
            self.time = time
            self.kind = kind
            self.message = message
            self.frames = frames
        }
    }

    /// The name of the board's sketch.
    public var name: String
    /// The kind of board: `virtual ESP32`, or the address of a port.
    public var hardware: String
    /// The board's abilities: `power`, `reset`, `buttons`, `type`.
    public var abilities: [String]
    /// True if it has power; `nil`: not known.
    public var isOn: Bool?
    /// The chip's last boot event: `started the application`.
    public var boot = ""
    /// The number of boots.
    public var boots = 0
    /// The pins that the firmware drives and at which no part is, by number.
    public var pins: [Pin] = []
    /// The PWM signals of pins at which no part is, by pin.
    public var signals: [Signal] = []
    /// The servos at pins without a part, by pin.
    public var servos: [Servo] = []
    /// The parts that are wired to it.
    public var parts: [PartState] = []
    /// The board's heap; `nil`: not known, or no firmware runs.
    public var heap: BoardHeap?
    /// The pins at which a button can be pressed: BOOT's, and the inputs of the firmware at which no part is.
    public var buttons: [Int] = []
    /// The pins of the pressed buttons.
    public var pressed: [Int] = []
    /// The last crash since it was switched on or reset here.
    public var crash: Crash?
    /// The last failure of the bench; `nil`: none.
    public var fault: String?

    /// A board without power.
    public init(name: String, hardware: String, abilities: [String], isOn: Bool?) {
        self.name = name
        self.hardware = hardware
        self.abilities = abilities
        self.isOn = isOn
    }
}

/// The bench's clock, if it can be controlled.
public protocol LiveClock: Sendable {
    /// Sets the speed of the clock: virtual seconds per second; 0: stopped.
    func setSpeed(_ speed: Double) async throws

    /// Advances the stopped clock by this duration.
    func step(by duration: Duration) async throws

    /// Advances the stopped clock to the next event.
    func stepToNextEvent() async throws
}

/// The state of the clock that the page shows.
public struct ClockState: Sendable, Encodable, Equatable {
    /// The speeds that a user can choose.
    public static let speeds: ClosedRange<Double> = 0...100

    /// The bench's clock, in milliseconds.
    public var now: Double
    /// Virtual seconds per second.
    public var speed: Double
    /// True if the speed can be changed.
    public var isControlled: Bool

    /// A state of the clock.
    public init(now: Double, speed: Double, isControlled: Bool) {
        self.now = now
        self.speed = speed
        self.isControlled = isControlled
    }
}
