/// Frame format, flow control and break as a client has set them.
///
/// They are kept and answered, and change nothing: the lines behind our servers carry whole bytes, and no driver stands
/// between that could hold them back. RFC 2217 section 3 has the server answer each command with the value in force;
/// pyserial takes an answer other than what it sent for a refusal, and throws.
struct ComPortSettings {
    private var dataSize = ComPortFrame.dataSize
    private var parity = ComPortFrame.parityNone
    private var stopSize = ComPortFrame.oneStopBit
    private var flowControl = ComPortControl.noFlowControl
    private var inboundFlowControl = ComPortControl.noInboundFlowControl
    private var breakState = ComPortControl.breakOff

    /// Takes over the value of SET-DATASIZE, SET-PARITY or SET-STOPSIZE where there is such a one; returns the value in
    /// force, `nil` for any other command.
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

    /// Takes over the value of SET-CONTROL, or looks up what it asks for; returns the value in force. For a value that
    /// does not exist that is the flow control.
    mutating func setControl(_ value: UInt8) -> UInt8 {
        switch value {
        case ComPortControl.breakOn, ComPortControl.breakOff:
            breakState = value
            return value
        case ComPortControl.requestBreak:
            return breakState
        // Without a direction of its own, a value is of both (RFC 2217 section 3, values 1 to 3).
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
