public import BenchModel

/// A board as the page shows and controls it.
public protocol LiveBoard: Sendable {
    /// Switches the supply.
    func setPower(_ isOn: Bool) async throws

    /// Pulls EN low and lets it go.
    func reset() async throws

    /// Presses or releases the button that pulls `pin` to ground.
    func setButton(pin: Int, isPressed: Bool) async throws

    /// Sends a line to the console.
    func type(_ line: String) async throws
}

/// What the page shows of a board.
public struct BoardState: Sendable, Encodable, Equatable {
    /// A pin that the firmware drives.
    public struct Pin: Sendable, Encodable, Equatable {
        /// GPIO number.
        public var pin: Int
        /// Its level.
        public var isHigh: Bool

        /// A pin.
        public init(pin: Int, isHigh: Bool) {
            self.pin = pin
            self.isHigh = isHigh
        }
    }

    /// A servo.
    public struct Servo: Sendable, Encodable, Equatable {
        /// GPIO number.
        public var pin: Int
        /// Whether the firmware sends it a signal.
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

    /// How the firmware crashed last.
    public struct Crash: Sendable, Encodable, Equatable {
        /// In milliseconds of the bench's clock.
        public var time: Double
        /// `panic`, `watchdog`, …
        public var kind: String
        /// What the panic handler says.
        public var message: String
        /// Where it happened, innermost first, a line each: `loop() at Sketch.ino:12`.
        public var frames: [String]

        /// A crash.
        public init(time: Double, kind: String, message: String, frames: [String]) {
            self.time = time
            self.kind = kind
            self.message = message
            self.frames = frames
        }
    }

    /// Its sketch.
    public var name: String
    /// What runs it: `virtual ESP32`, or the address of a port.
    public var hardware: String
    /// What can be done: `power`, `reset`, `buttons`, `type`.
    public var abilities: [String]
    /// Whether it has power; `nil`: not known.
    public var isOn: Bool?
    /// What the chip did last: `started the application`.
    public var boot = ""
    /// How often it started.
    public var boots = 0
    /// The pins that the firmware drives, by number.
    public var pins: [Pin] = []
    /// The servos, by pin.
    public var servos: [Servo] = []
    /// Its heap; `nil`: it is not known, or no firmware runs.
    public var heap: BoardHeap?
    /// The pins of the pressed buttons.
    public var pressed: [Int] = []
    /// The last crash since it was switched on or reset here.
    public var crash: Crash?
    /// What the bench could not do; `nil`: nothing.
    public var fault: String?

    /// A board without power.
    public init(name: String, hardware: String, abilities: [String], isOn: Bool?) {
        self.name = name
        self.hardware = hardware
        self.abilities = abilities
        self.isOn = isOn
    }
}
