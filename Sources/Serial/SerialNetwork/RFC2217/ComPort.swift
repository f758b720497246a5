/// COM-PORT-OPTION commands, RFC 2217 section 3; the server answers with the code plus 100.
enum ComPortCommand {
    static let signature: UInt8 = 0
    static let setBaudRate: UInt8 = 1
    static let setDataSize: UInt8 = 2
    static let setParity: UInt8 = 3
    static let setStopSize: UInt8 = 4
    static let setControl: UInt8 = 5
    static let notifyLineState: UInt8 = 6
    static let notifyModemState: UInt8 = 7
    static let setLineStateMask: UInt8 = 10
    static let setModemStateMask: UInt8 = 11
    static let purgeData: UInt8 = 12

    /// Added to a command's code in the server's answer.
    static let answerOffset: UInt8 = 100

    /// The bytes of a subnegotiation with `command`.
    static func subnegotiation(_ command: UInt8, _ parameters: [UInt8]) -> [UInt8] {
        [Telnet.iac, Telnet.sb, Telnet.comPort, command] + Telnet.escaped(parameters) + [Telnet.iac, Telnet.se]
    }
}

/// Values of SET-CONTROL, RFC 2217 section 3.
enum ComPortControl {
    static let requestFlow: UInt8 = 0
    /// None, XON/XOFF, hardware: for both directions, or outbound only.
    static let flowControls: ClosedRange<UInt8> = 1...3
    static let noFlowControl: UInt8 = 1
    static let requestBreak: UInt8 = 4
    static let breakOn: UInt8 = 5
    static let breakOff: UInt8 = 6
    static let requestDTR: UInt8 = 7
    static let dtrOn: UInt8 = 8
    static let dtrOff: UInt8 = 9
    static let requestRTS: UInt8 = 10
    static let rtsOn: UInt8 = 11
    static let rtsOff: UInt8 = 12
    static let requestInboundFlow: UInt8 = 13
    /// None, XON/XOFF, hardware.
    static let inboundFlowControls: ClosedRange<UInt8> = 14...16
    static let noInboundFlowControl: UInt8 = 14
    static let dcdFlowControl: UInt8 = 17
    static let dtrInboundFlowControl: UInt8 = 18
    static let dsrFlowControl: UInt8 = 19
}

/// Values of PURGE-DATA, RFC 2217 section 3.
enum ComPortPurge {
    static let receive: UInt8 = 1
    static let transmit: UInt8 = 2
    static let both: UInt8 = 3
}

/// Frame formats, RFC 2217 section 3; 0 requests the current one.
enum ComPortFrame {
    static let dataSizes: ClosedRange<UInt8> = 5...8
    /// None, odd, even, mark, space.
    static let parities: ClosedRange<UInt8> = 1...5
    /// 1, 2, 1.5 bits.
    static let stopSizes: ClosedRange<UInt8> = 1...3

    /// The format of an ESP32's ROM and console: 8N1.
    static let dataSize: UInt8 = 8
    static let parityNone: UInt8 = 1
    static let oneStopBit: UInt8 = 1
}

/// Frame format, flow control and break as a client has set them.
///
/// They are stored and answered but have no effect: the ports behind our servers carry whole bytes without a driver
/// that could delay them. RFC 2217 section 3 requires the server to answer each command with the value in force;
/// pyserial treats an answer other than the value it sent as a refusal, and throws.
struct ComPortSettings {
    private var dataSize = ComPortFrame.dataSize
    private var parity = ComPortFrame.parityNone
    private var stopSize = ComPortFrame.oneStopBit
    private var flowControl = ComPortControl.noFlowControl
    private var inboundFlowControl = ComPortControl.noInboundFlowControl
    private var breakState = ComPortControl.breakOff

    /// Stores the value of SET-DATASIZE, SET-PARITY or SET-STOPSIZE if it is valid; returns the value in force, `nil`
    /// for any other command.
    mutating func setFrame(_ command: UInt8, _ value: UInt8) -> UInt8? {
        switch command {
        case ComPortCommand.setDataSize: Self.set(&dataSize, value, ComPortFrame.dataSizes)
        case ComPortCommand.setParity: Self.set(&parity, value, ComPortFrame.parities)
        case ComPortCommand.setStopSize: Self.set(&stopSize, value, ComPortFrame.stopSizes)
        default: nil
        }
    }

    private static func set(_ field: inout UInt8, _ value: UInt8, _ known: ClosedRange<UInt8>) -> UInt8 {
        if known.contains(value) { field = value }
        return field
    }

    /// Stores the value of SET-CONTROL, or reads the setting it requests; returns the value in force. For an unknown
    /// value, returns the flow control.
    mutating func setControl(_ value: UInt8) -> UInt8 {
        switch value {
        case ComPortControl.breakOn, ComPortControl.breakOff:
            breakState = value
            return value
        case ComPortControl.requestBreak:
            return breakState
        // Values 1 to 3 set both directions (RFC 2217 section 3).
        case ComPortControl.flowControls:
            flowControl = value
            inboundFlowControl = value - ComPortControl.noFlowControl + ComPortControl.noInboundFlowControl
            return value
        case ComPortControl.dcdFlowControl, ComPortControl.dsrFlowControl:
            flowControl = value
            return value
        case ComPortControl.inboundFlowControls, ComPortControl.dtrInboundFlowControl:
            inboundFlowControl = value
            return value
        case ComPortControl.requestInboundFlow:
            return inboundFlowControl
        default:
            return flowControl
        }
    }
}
