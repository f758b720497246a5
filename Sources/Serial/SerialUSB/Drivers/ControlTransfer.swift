/// A transfer on endpoint 0: the setup packet (USB 2.0, section 9.3), and the data sent or the length asked for.
package struct ControlTransfer: Hashable, Sendable {
    /// `bmRequestType`; bit 7 is the direction.
    package var requestType: UInt8
    /// `bRequest`
    package var request: UInt8
    /// `wValue`
    package var value: UInt16 = 0
    /// `wIndex`
    package var index: UInt16 = 0
    /// The data of a transfer to the device.
    package var data: [UInt8] = []
    /// The length asked for by a transfer from the device.
    package var answerLength = 0

    /// Whether data goes to the host.
    package var isInput: Bool { requestType & 0x80 != 0 }

    /// `wLength`
    package var length: Int { isInput ? answerLength : data.count }
}
