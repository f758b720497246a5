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

    /// The bytes that offer `option` of this end; none if the peer has already asked for it.
    mutating func offer(_ option: UInt8) -> [UInt8] {
        if ours[option] == .on { return [] }
        ours[option] = .asked
        return [Telnet.iac, Telnet.will, option]
    }

    /// The bytes that request `option` from the peer; none if it has already offered it.
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
