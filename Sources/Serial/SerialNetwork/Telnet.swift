/// The bytes of RFC 854 (Telnet) that a serial port over RFC 2217 needs.
enum Telnet {
    /// Interpret As Command; doubled in data.
    static let iac: UInt8 = 255
    static let dont: UInt8 = 254
    static let `do`: UInt8 = 253
    static let wont: UInt8 = 252
    static let will: UInt8 = 251
    /// Begins a subnegotiation.
    static let sb: UInt8 = 250
    /// Ends a subnegotiation.
    static let se: UInt8 = 240

    /// Option 0, RFC 856: eight-bit data.
    static let binary: UInt8 = 0
    /// Option 1, RFC 857.
    static let echo: UInt8 = 1
    /// Option 3, RFC 858: Suppress Go Ahead.
    static let suppressGoAhead: UInt8 = 3
    /// Option 44, RFC 2217.
    static let comPort: UInt8 = 44

    /// `bytes` with every IAC doubled.
    static func escaped(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(iac) else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 16)
        for byte in bytes {
            result.append(byte)
            if byte == iac { result.append(iac) }
        }
        return result
    }
}

/// The parts of a telnet stream, in order.
enum TelnetEvent: Equatable {
    /// Plain data, with doubled IACs single again.
    case data([UInt8])
    /// WILL, WONT, DO or DONT, and the option.
    case negotiation(verb: UInt8, option: UInt8)
    /// The bytes between IAC SB and IAC SE, unescaped: the option and its parameters.
    case subnegotiation([UInt8])
}

/// A subnegotiation longer than any that RFC 2217 defines.
struct TelnetOverflow: Error, Equatable {
    let limit: Int
}

/// Parses a telnet stream; buffers at most one unfinished subnegotiation.
struct TelnetParser {
    /// The longest accepted subnegotiation; RFC 2217's longest is a signature text.
    static let subnegotiationLimit = 256

    private enum State {
        case data
        case command
        case negotiation(verb: UInt8)
        case subnegotiation
        case subnegotiationCommand
    }

    private var state = State.data
    private var parameters: [UInt8] = []

    /// True if the last bytes began a command that has not ended.
    var isInsideCommand: Bool {
        if case .data = state { return false }
        return true
    }

    /// Parses `bytes`.
    ///
    /// - Throws: ``TelnetOverflow`` at a subnegotiation that is too long; the stream cannot be parsed after that.
    mutating func parse(_ bytes: [UInt8]) throws(TelnetOverflow) -> [TelnetEvent] {
        var events: [TelnetEvent] = []
        var data: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if case .data = state {
                let end = bytes[index...].firstIndex(of: Telnet.iac) ?? bytes.endIndex
                data.append(contentsOf: bytes[index..<end])
                if end < bytes.endIndex { state = .command }
                index = end + 1
                continue
            }
            if let event = try step(bytes[index], &data) {
                if !data.isEmpty {
                    events.append(.data(data))
                    data.removeAll()
                }
                events.append(event)
            }
            index += 1
        }
        if !data.isEmpty { events.append(.data(data)) }
        return events
    }

    private mutating func step(_ byte: UInt8, _ data: inout [UInt8]) throws(TelnetOverflow) -> TelnetEvent? {
        switch state {
        case .data:
            break
        case .command:
            switch byte {
            case Telnet.iac:
                data.append(byte)
                state = .data
            case Telnet.will, Telnet.wont, Telnet.do, Telnet.dont:
                state = .negotiation(verb: byte)
            case Telnet.sb:
                parameters.removeAll(keepingCapacity: true)
                state = .subnegotiation
            default:
                // NOP, Go Ahead and the like mean nothing to a serial port.
                state = .data
            }
        case .negotiation(let verb):
            state = .data
            return .negotiation(verb: verb, option: byte)
        case .subnegotiation:
            if byte == Telnet.iac {
                state = .subnegotiationCommand
            } else {
                try keep(byte)
            }
        case .subnegotiationCommand:
            if byte == Telnet.iac {
                try keep(byte)
                state = .subnegotiation
            } else {
                // SE ends the subnegotiation; any other command is an error that ends it, too (RFC 855).
                state = .data
                if byte == Telnet.se { return .subnegotiation(parameters) }
            }
        }
        return nil
    }

    private mutating func keep(_ byte: UInt8) throws(TelnetOverflow) {
        guard parameters.count < Self.subnegotiationLimit else {
            throw TelnetOverflow(limit: Self.subnegotiationLimit)
        }
        parameters.append(byte)
    }
}

/// Negotiates options with the peer as RFC 1143 describes: each side of an option is off, requested or on, and nothing
/// is answered twice, so that two peers never loop.
struct TelnetOptions {
    private enum State {
        case off
        case asked
        case on
    }

    /// Options that this end may enable.
    private let offered: Set<UInt8>
    /// Options that the peer may enable.
    private let accepted: Set<UInt8>
    private var ours: [UInt8: State] = [:]
    private var theirs: [UInt8: State] = [:]

    init(offered: Set<UInt8>, accepted: Set<UInt8>) {
        self.offered = offered
        self.accepted = accepted
    }

    func isEnabledHere(_ option: UInt8) -> Bool { ours[option] == .on }
    func isEnabledAtPeer(_ option: UInt8) -> Bool { theirs[option] == .on }

    /// The bytes that offer `option` of this end; empty if the peer has already requested it.
    mutating func offer(_ option: UInt8) -> [UInt8] {
        if ours[option] == .on { return [] }
        ours[option] = .asked
        return [Telnet.iac, Telnet.will, option]
    }

    /// The bytes that request `option` from the peer; empty if the peer has already offered it.
    mutating func request(_ option: UInt8) -> [UInt8] {
        if theirs[option] == .on { return [] }
        theirs[option] = .asked
        return [Telnet.iac, Telnet.do, option]
    }

    /// The answer to a negotiation of the peer; empty when none is needed.
    mutating func receive(verb: UInt8, option: UInt8) -> [UInt8] {
        switch verb {
        case Telnet.do:
            Self.agree(&ours, option, allowed: offered.contains(option), yes: Telnet.will, no: Telnet.wont)
        case Telnet.will:
            Self.agree(&theirs, option, allowed: accepted.contains(option), yes: Telnet.do, no: Telnet.dont)
        case Telnet.dont:
            Self.refuse(&ours, option, no: Telnet.wont)
        default:
            Self.refuse(&theirs, option, no: Telnet.dont)
        }
    }

    private static func agree(
        _ side: inout [UInt8: State], _ option: UInt8, allowed: Bool, yes: UInt8, no: UInt8
    ) -> [UInt8] {
        guard allowed else { return [Telnet.iac, no, option] }
        switch side[option] ?? .off {
        case .on:
            return []
        case .asked:
            side[option] = .on
            return []
        case .off:
            side[option] = .on
            return [Telnet.iac, yes, option]
        }
    }

    private static func refuse(_ side: inout [UInt8: State], _ option: UInt8, no: UInt8) -> [UInt8] {
        guard let state = side[option], state != .off else { return [] }
        side[option] = .off
        return state == .on ? [Telnet.iac, no, option] : []
    }
}
