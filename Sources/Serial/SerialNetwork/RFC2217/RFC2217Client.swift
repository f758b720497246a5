internal import SerialPort

/// The client's side of RFC 2217: the commands to send, and which of them the server has acknowledged.
struct RFC2217Client {
    /// An event of the bytes received from the server, in order.
    enum Event: Equatable {
        /// Bytes of the port.
        case data([UInt8])
        /// The server has discarded its input; data received before this is stale.
        case purged
    }

    private var parser = TelnetParser()
    private var options = TelnetOptions(
        offered: [Telnet.binary, Telnet.suppressGoAhead, Telnet.comPort],
        accepted: [Telnet.binary, Telnet.suppressGoAhead, Telnet.echo, Telnet.comPort])
    /// Commands sent and not answered yet, by code.
    private var unanswered: [UInt8: Int] = [:]
    /// Telnet answers to send.
    private var replies: [UInt8] = []
    /// The rate in the server's last answer.
    private(set) var baudRate: Int?
    /// True if the server was asked for the state of DTR, and has sent no answer since.
    private var hasAskedForDTR = false
    /// True unless the server is known to lack DTR and RTS.
    private(set) var hasModemLines = true

    /// True if the server agreed to COM-PORT-OPTION. pyserial's server offers the option; other servers accept the
    /// client's offer.
    var hasComPort: Bool { options.isEnabledHere(Telnet.comPort) || options.isEnabledAtPeer(Telnet.comPort) }

    /// True if every command sent has been answered.
    var isSettled: Bool { unanswered.values.allSatisfy { $0 == 0 } }

    /// The client's first bytes.
    mutating func greeting() -> [UInt8] {
        options.offer(Telnet.comPort) + options.offer(Telnet.binary) + options.request(Telnet.binary)
            + options.offer(Telnet.suppressGoAhead) + options.request(Telnet.suppressGoAhead)
    }

    /// The commands that set 8N1 without flow control at a rate.
    mutating func configure(_ settings: SerialSettings) -> [UInt8] {
        let rate = UInt32(clamping: settings.baudRate)
        return command(ComPortCommand.setBaudRate, [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rate >> $0) })
            + command(ComPortCommand.setDataSize, [ComPortFrame.dataSize])
            + command(ComPortCommand.setParity, [ComPortFrame.parityNone])
            + command(ComPortCommand.setStopSize, [ComPortFrame.oneStopBit])
            + command(ComPortCommand.setControl, [ComPortControl.noFlowControl])
    }

    /// The command that asks for the state of DTR; must be sent before other SET-CONTROL commands.
    ///
    /// A server of a port without lines echoes the request (ser2net), since it has no state to report; a server that
    /// does not know the request does not answer (pyserial).
    mutating func askForDTR() -> [UInt8] {
        hasAskedForDTR = true
        return ComPortCommand.subnegotiation(ComPortCommand.setControl, [ComPortControl.requestDTR])
    }

    /// The commands that set both lines; sent in one segment, for servers that apply them in one step.
    mutating func setModemLines(_ lines: ModemLines) -> [UInt8] {
        command(ComPortCommand.setControl, [lines.dtr ? ComPortControl.dtrOn : ComPortControl.dtrOff])
            + command(ComPortCommand.setControl, [lines.rts ? ComPortControl.rtsOn : ComPortControl.rtsOff])
    }

    /// The command that discards what the server has received from its port.
    mutating func purgeInput() -> [UInt8] {
        command(ComPortCommand.purgeData, [ComPortPurge.receive])
    }

    private mutating func command(_ code: UInt8, _ parameters: [UInt8]) -> [UInt8] {
        unanswered[code, default: 0] += 1
        return ComPortCommand.subnegotiation(code, parameters)
    }

    /// Stops waiting for the answers to all commands sent.
    mutating func discardUnanswered() {
        unanswered.removeAll()
    }

    /// The telnet answers to send since the last call.
    mutating func drainReplies() -> [UInt8] {
        defer { replies.removeAll() }
        return replies
    }

    /// Parses bytes from the server.
    mutating func receive(_ bytes: [UInt8]) throws(TelnetOverflow) -> [Event] {
        var events: [Event] = []
        for event in try parser.parse(bytes) {
            switch event {
            case .data(let data):
                events.append(.data(data))
            case .negotiation(let verb, let option):
                replies += options.receive(verb: verb, option: option)
            case .subnegotiation(let parameters):
                guard parameters.first == Telnet.comPort, parameters.count >= 2,
                    parameters[1] >= ComPortCommand.answerOffset
                else { continue }
                let code = parameters[1] - ComPortCommand.answerOffset
                if code == ComPortCommand.setControl, hasAskedForDTR {
                    hasAskedForDTR = false
                    if parameters.count == 3, ComPortControl.requestDTR...ComPortControl.dtrOff ~= parameters[2] {
                        hasModemLines = parameters[2] != ComPortControl.requestDTR
                        continue
                    }
                }
                if let count = unanswered[code], count > 0 { unanswered[code] = count - 1 }
                if code == ComPortCommand.setBaudRate, parameters.count == 6 {
                    baudRate = parameters[2...].reduce(0) { $0 << 8 | Int($1) }
                }
                if code == ComPortCommand.purgeData { events.append(.purged) }
            }
        }
        return events
    }
}
