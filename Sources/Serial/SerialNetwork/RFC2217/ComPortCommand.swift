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
