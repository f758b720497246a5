/// Frame format, flow control and break as a client has set them.
///
/// They are stored and answered but have no effect: the ports behind our servers carry whole bytes without a driver
/// that could delay them. RFC 2217 section 3 has the server answer each command with the value in force; pyserial
/// treats an answer other than the value it sent as a refusal, and throws.
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
    /// value that is the flow control.
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
