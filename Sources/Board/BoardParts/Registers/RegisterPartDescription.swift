/// A part's file, compiled: see `Sources/Board/BoardParts/README.md`.
struct RegisterPartDescription: Sendable {
    /// A register.
    struct Register: Sendable {
        /// The possible widths in bytes.
        static let widths = 1...6

        var name: String
        /// The address of its first byte; `nil`: it is internal, only expressions know it.
        var address: Int?
        /// Bytes.
        var width = 1
        /// True if the byte with the lowest bits comes first.
        var isLowFirst = false
        /// True if expressions see a two's complement number.
        var isSigned = false
        var isReadable = true
        var isWritable = true
        var reset: UInt64 = 0
        /// The bits that the chip can change.
        var writable: UInt64 = .max
        /// The bits that the chip can only clear, by writing 0.
        var clearOnly: UInt64 = 0
        /// Its number whenever it is read, instead of a stored one.
        var value: PartExpression?
        var onWrite: [Step] = []
        var onRead: [Step] = []

        /// All of its bits.
        var mask: UInt64 { (1 << UInt64(width * 8)) - 1 }

        /// The bits for a number: rounded, and clipped to the numbers that the width can hold.
        func bits(_ number: Double) -> UInt64 {
            let bound: Int64 = 1 << Int64(width * 8)
            let clipped = min(max(number.wholeNumber, -bound / 2), isSigned ? bound / 2 - 1 : bound - 1)
            return UInt64(truncatingIfNeeded: clipped) & mask
        }

        /// The number for bits.
        func number(_ bits: UInt64) -> Double {
            isSigned && bits > mask / 2 ? Double(bits) - Double(mask) - 1 : Double(bits)
        }
    }

    /// Bits of a register, or all of them.
    struct Target: Sendable {
        var register: Int
        /// The lowest bit, and the mask of the bits shifted to bit 0; `nil`: the whole register.
        var bits: (shift: Int, mask: UInt64)?
    }

    /// An action, carried out in the order of the properties.
    struct Step: Sendable {
        /// Only if it is not 0.
        var condition: PartExpression?
        var resets = false
        var stops: [Int] = []
        var assignments: [(target: Target, value: PartExpression)] = []
        var starts: [Int] = []
        var report: String?
    }

    /// A command: the bytes of a write select it.
    struct Command: Sendable {
        var name: String
        var codes: [ClosedRange<Int>]
        /// The bytes of its argument after the code.
        var argument = 0
        /// The reply for the reads after it; `nil`: as before.
        var reply: Int?
        var steps: [Step] = []
    }

    /// Bytes that a read gets after a command.
    struct Reply: Sendable {
        enum Item: Sendable {
            case register(Int)
            /// A check sum of the bytes since the last one.
            case crc8(polynomial: UInt8, start: UInt8)
        }

        var name: String
        /// The part does not acknowledge a read while it is 0.
        var condition: PartExpression?
        /// True if the part holds the clock until `condition` holds, instead of not acknowledging.
        var holdsClock: PartExpression?
        var items: [Item] = []
        /// Carried out when the read begins, after the bytes are taken.
        var steps: [Step] = []
    }

    /// A time of the part, such as that of a conversion.
    struct Timer: Sendable {
        var name: String
        /// In nanoseconds.
        var time: PartExpression
        /// It begins again at its end while it is not 0.
        var repeats: PartExpression?
        /// Its start.
        enum Run: Sendable {
            case whenStarted
            /// At a reset, which is also the end of a time without power, if there is no battery.
            case reset
            /// As ``reset``, and whenever power comes on.
            case withPower
        }

        var runs = Run.whenStarted
        /// True if each of its ends counts, however many passed unobserved.
        var countsAll = false
        /// Its end can only be observed at a pin or a reading while it is not 0.
        var wakes: PartExpression?
        var atStart: [Step] = []
        var atEnd: [Step] = []
    }

    /// A terminal that the part drives.
    struct Output: Sendable {
        var name: String
        var condition: PartExpression
        var active: PinDrive
        var inactive: PinDrive
    }

    /// An observable state.
    struct Reading: Sendable {
        var value: PartExpression
        /// The words for the values 0, 1, …; empty: a number.
        var words: [String]
    }

    var name = ""
    var addresses: [UInt8] = []
    /// The values of the quantities before the first change.
    var initials: [Double] = []
    /// The names of the settings.
    var settings: [String] = []
    /// True if an address holds a whole register, and not one byte.
    var addressesRegisters = false
    /// True if the address advances after each byte, or register.
    var advances = true
    /// The address after which the first one follows.
    var lastAddress = 0xFF
    /// True if nothing is lost without power.
    var hasBattery = false
    /// It does not acknowledge its address while it is 0.
    var acknowledges: PartExpression?
    var names: [PartExpression] = []
    var registers: [Register] = []
    /// The bytes of a command's code; 0: it has an address pointer instead.
    var codeWidth = 0
    /// The check sum of replies, the highest bit first.
    var crc8: (polynomial: UInt8, start: UInt8)?
    var commands: [Command] = []
    var replies: [Reply] = []
    /// The reply before the first command that selects one.
    var firstReply: Int?
    var timers: [Timer] = []
    var outputs: [Output] = []
    var readings: [Reading] = []
}
