package import MonotonicTime
package import SerialPort

/// What a chip does with its UART and its pins, in order.
package enum ChipEffect: Hashable, Sendable {
    /// Sends bytes on TXD.
    case transmit([UInt8])
    /// The UART has new settings.
    case settings(UARTSettings)
    /// Drives the modem lines.
    case lines(ModemLines)
    /// Begins or ends a break.
    case breakCondition(Bool)
    /// Resets the chip behind the USB device, into its ROM's loader if `download`: USB-Serial-JTAG and ROM OTG, whose
    /// lines are no pins.
    case reset(download: Bool)
    /// The host did what a driver of this chip must not do; the chip has ignored it.
    case violation(String)
}

/// How a chip answers a control request.
package enum ControlAnswer: Hashable, Sendable {
    /// An OUT request was accepted.
    case accepted
    /// The data of an IN request; the device cuts them to wLength.
    case data([UInt8])
    /// The chip does not know the request, or not with these values.
    case stall
}

/// A USB device's chip as its data sheet describes it: class and vendor requests, and what it does with bulk data.
///
/// A pure state machine; ``EmulatedUSBDevice`` is the USB device around it.
package protocol BridgeChip: Sendable {
    /// Its descriptors.
    var descriptors: DeviceDescriptors { get }
    /// The bulk endpoints of the UART: IN and OUT addresses.
    var bulkIn: UInt8 { get }
    /// The bulk OUT endpoint of the UART.
    var bulkOut: UInt8 { get }
    /// The UART's settings.
    var settings: UARTSettings { get }

    /// A class or vendor request; `data` is the OUT data stage.
    mutating func control(_ setup: SetupPacket, _ data: [UInt8], at now: MonotonicInstant) -> ControlAnswer
    /// The host wrote to the bulk OUT endpoint.
    mutating func write(_ bytes: [UInt8])
    /// RXD received bytes.
    mutating func received(_ bytes: [UInt8])
    /// The next packets of the bulk IN endpoint, for a read of at most `maximum` bytes; `nil`: NAK. May be a
    /// transfer of no bytes.
    mutating func read(upTo maximum: Int, at now: MonotonicInstant) -> [UInt8]?
    /// The next packet of an interrupt IN endpoint; `nil`: NAK.
    mutating func readInterrupt(at now: MonotonicInstant) -> [UInt8]?
    /// The instant from which on a read that now gets a NAK will get data.
    func readDeadline(at now: MonotonicInstant) -> MonotonicInstant?
    /// The host configured the device, or reset it.
    mutating func configured()
    /// What the chip did since the last call.
    mutating func drainEffects() -> [ChipEffect]
}

extension BridgeChip {
    /// None.
    package mutating func readInterrupt(at now: MonotonicInstant) -> [UInt8]? { nil }
    /// None: data come as soon as there are any.
    package func readDeadline(at now: MonotonicInstant) -> MonotonicInstant? { nil }
    /// Nothing.
    package mutating func configured() {}
}

/// Received bytes that the host has not read; the newest are lost when it is full.
struct ReceiveBuffer: Sendable {
    /// More than a chip has, since a virtual line may deliver faster than a real one.
    static let limit = 1 << 20
    private(set) var bytes: [UInt8] = []
    private(set) var overruns = 0

    mutating func append(_ new: [UInt8]) {
        let room = max(0, Self.limit - bytes.count)
        bytes.append(contentsOf: new.prefix(room))
        overruns += max(0, new.count - room)
    }

    mutating func removeFirst(_ maximum: Int) -> [UInt8] {
        let taken = Array(bytes.prefix(maximum))
        bytes.removeFirst(taken.count)
        return taken
    }

    /// Loses the oldest bytes beyond `count`.
    mutating func keepNewest(_ count: Int) { bytes.removeFirst(max(0, bytes.count - count)) }

    mutating func removeAll() { bytes.removeAll() }

    var isEmpty: Bool { bytes.isEmpty }
    var count: Int { bytes.count }
}
