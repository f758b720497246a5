/// A transfer on endpoint 0: the setup packet (USB 2.0, section 9.3), and the data sent or the length asked for.
struct ControlTransfer: Hashable, Sendable {
    /// `bmRequestType`; bit 7 is the direction.
    var requestType: UInt8
    /// `bRequest`
    var request: UInt8
    /// `wValue`
    var value: UInt16 = 0
    /// `wIndex`
    var index: UInt16 = 0
    /// The data of a transfer to the device.
    var data: [UInt8] = []
    /// The length asked for by a transfer from the device.
    var answerLength = 0

    /// Whether data goes to the host.
    var isInput: Bool { requestType & 0x80 != 0 }

    /// `wLength`
    var length: Int { isInput ? answerLength : data.count }
}
