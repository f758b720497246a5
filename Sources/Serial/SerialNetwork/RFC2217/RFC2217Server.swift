internal import SerialPort

/// The server's side of RFC 2217: the actions on the port that a client requests, and the answers.
struct RFC2217Server {
    /// The steps, in order.
    enum Action: Equatable {
        /// Send to the port.
        case data([UInt8])
        /// Send to the client.
        case reply([UInt8])
        /// Set the port's rate, then answer with ``RFC2217Server/baudRateAnswer(_:)``.
        case setBaudRate(Int)
        /// Send the client the port's rate.
        case reportBaudRate
        /// Set the lines, then send `reply`.
        case setModemLines(ModemLines, changed: Lines, reply: [UInt8])
        /// Discard what the port has received, then send `reply`.
        case discardInput(reply: [UInt8])
    }

    /// The modem lines that one step changes.
    struct Lines: OptionSet, Equatable {
        let rawValue: UInt8
        static let dtr = Lines(rawValue: 1)
        static let rts = Lines(rawValue: 2)
    }

    private var parser = TelnetParser()
    private var options = TelnetOptions(
        offered: [Telnet.binary, Telnet.suppressGoAhead, Telnet.echo, Telnet.comPort],
        accepted: [Telnet.binary, Telnet.suppressGoAhead, Telnet.comPort])
    private var lines = ModemLines(dtr: false, rts: false)
    private var settings = ComPortSettings()
    /// Without modem lines, commands that set them are acknowledged, as all clients expect; a request for their state
    /// is echoed.
    private let hasModemLines: Bool

    init(hasModemLines: Bool = true) {
        self.hasModemLines = hasModemLines
    }

    /// True if the client's last bytes began a telnet command that has not ended.
    var isInsideCommand: Bool { parser.isInsideCommand }

    /// The server's first bytes. The client offers COM-PORT-OPTION itself (RFC 2217 section 2).
    mutating func greeting() -> [UInt8] {
        options.offer(Telnet.binary) + options.request(Telnet.binary) + options.offer(Telnet.suppressGoAhead)
            + options.request(Telnet.suppressGoAhead)
    }

    /// Parses bytes from the client.
    mutating func receive(_ bytes: [UInt8]) throws(TelnetOverflow) -> [Action] {
        var actions: [Action] = []
        for event in try parser.parse(bytes) {
            switch event {
            case .data(let data):
                actions.append(.data(data))
            case .negotiation(let verb, let option):
                var reply = options.receive(verb: verb, option: option)
                if option == Telnet.comPort, verb == Telnet.will || verb == Telnet.do {
                    // An initial modem state for clients that read CTS or DSR: no line is connected.
                    reply += Self.answer(ComPortCommand.notifyModemState, [0])
                }
                if !reply.isEmpty { actions.append(.reply(reply)) }
            case .subnegotiation(let parameters):
                guard parameters.first == Telnet.comPort, parameters.count >= 2 else { continue }
                perform(parameters[1], Array(parameters[2...]), &actions)
            }
        }
        return actions
    }

    /// The answer to SET-BAUDRATE: the rate that is set now.
    static func baudRateAnswer(_ rate: Int) -> [UInt8] {
        let value = UInt32(clamping: rate)
        return answer(
            ComPortCommand.setBaudRate,
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) })
    }

    private static func answer(_ command: UInt8, _ parameters: [UInt8]) -> [UInt8] {
        ComPortCommand.subnegotiation(command + ComPortCommand.answerOffset, parameters)
    }

    private mutating func perform(_ command: UInt8, _ parameters: [UInt8], _ actions: inout [Action]) {
        switch command {
        case ComPortCommand.setBaudRate:
            guard parameters.count == 4 else { return }
            let rate = parameters.reduce(0) { $0 << 8 | Int($1) }
            actions.append(rate == 0 ? .reportBaudRate : .setBaudRate(rate))
        case ComPortCommand.setDataSize, ComPortCommand.setParity, ComPortCommand.setStopSize:
            guard let wanted = parameters.first, let value = settings.setFrame(command, wanted) else { return }
            actions.append(.reply(Self.answer(command, [value])))
        case ComPortCommand.setControl:
            guard let value = parameters.first else { return }
            control(value, &actions)
        case ComPortCommand.notifyLineState, ComPortCommand.notifyModemState:
            actions.append(.reply(Self.answer(command, [0])))
        case ComPortCommand.setLineStateMask, ComPortCommand.setModemStateMask:
            actions.append(.reply(Self.answer(command, Array(parameters.prefix(1)))))
        case ComPortCommand.purgeData:
            guard let value = parameters.first else { return }
            let reply = Self.answer(command, [value])
            actions.append(value == ComPortPurge.transmit ? .reply(reply) : .discardInput(reply: reply))
        case ComPortCommand.signature:
            guard parameters.isEmpty else { return }
            actions.append(.reply(Self.answer(command, Array("espbench".utf8))))
        default:
            return
        }
    }

    private mutating func control(_ value: UInt8, _ actions: inout [Action]) {
        let answer = { (value: UInt8) in Self.answer(ComPortCommand.setControl, [value]) }
        switch value {
        case ComPortControl.requestDTR where !hasModemLines, ComPortControl.requestRTS where !hasModemLines:
            actions.append(.reply(answer(value)))
        case ComPortControl.dtrOn, ComPortControl.dtrOff:
            lines.dtr = value == ComPortControl.dtrOn
            change(.dtr, answer(value), &actions)
        case ComPortControl.rtsOn, ComPortControl.rtsOff:
            lines.rts = value == ComPortControl.rtsOn
            change(.rts, answer(value), &actions)
        case ComPortControl.requestDTR:
            actions.append(.reply(answer(lines.dtr ? ComPortControl.dtrOn : ComPortControl.dtrOff)))
        case ComPortControl.requestRTS:
            actions.append(.reply(answer(lines.rts ? ComPortControl.rtsOn : ComPortControl.rtsOff)))
        default:
            actions.append(.reply(answer(settings.setControl(value))))
        }
    }

    /// One change of the lines; consecutive changes of DTR and RTS are one step, since a client that sends both
    /// together wants them applied together.
    private func change(_ line: Lines, _ reply: [UInt8], _ actions: inout [Action]) {
        if case .setModemLines(_, let changed, let former)? = actions.last, changed.isDisjoint(with: line) {
            actions[actions.count - 1] = .setModemLines(lines, changed: changed.union(line), reply: former + reply)
        } else {
            actions.append(.setModemLines(lines, changed: line, reply: reply))
        }
    }
}
