/// An error of a central operation.
public struct CentralError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of fault.
    public enum Code: Hashable, Sendable {
        /// The server answered with an ATT error, e.g. 0x05 (Core 5.4, Vol 3 Part F 3.4.1.1).
        case attError(UInt8)
        /// No answer in time.
        case timedOut
        /// The connection ended before the operation; the HCI reason if the stack reports it.
        case disconnected(reason: UInt8?)
        /// There is no such connection, or it has ended.
        case notConnected
        /// The peer violated the protocol.
        case protocolViolation
        /// The stack is not powered on, or the call is not allowed now.
        case invalidState
        /// The controller refused; the HCI error code.
        case controller(status: UInt8)
        /// A pairing failed on either side; the reason of the Security Manager, e.g. 0x04 for a wrong passkey (Core
        /// 5.4, Vol 3 Part H 3.5.5). The detail contains the reason's name and the side that failed the pairing.
        case pairingFailed(reason: UInt8)
        /// The link could not be encrypted; the HCI error code, e.g. 0x06 when the peer has no key.
        case encryptionFailed(status: UInt8)
        /// There is no bond with this peer.
        case notBonded
        /// The keys could not be loaded or stored.
        case storage
        /// The stack lacks the required ability.
        case unsupported(CentralAbility)
        /// The adapter or the stack's service is no longer available.
        case unavailable
    }

    /// The kind of fault.
    public var code: Code
    /// The failure, with what was expected, what was found, and where; one line.
    public var detail: String
    /// The missing part, for the code `unavailable`, where it is known.
    public var absence: CentralAbsence?

    /// A fault with its one line of detail.
    public init(_ code: Code, _ detail: String, absence: CentralAbsence? = nil) {
        self.code = code
        self.detail = detail
        self.absence = absence
    }

    /// The error of an operation that failed because of `cause`.
    public init(_ cause: CentralError, during operation: String) {
        self.init(cause.code, "\(operation): \(cause.detail)", absence: cause.absence)
    }

    /// The error of an operation that requires a missing ability.
    public init(unsupported ability: CentralAbility, _ operation: String) {
        self.init(.unsupported(ability), "\(operation): this central's stack lacks \(ability)")
    }

    /// The detail.
    public var description: String { detail }
}

/// Why the Bluetooth stack that a ``CentralAddress`` names could not be opened.
public struct CentralOpenError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of fault.
    public enum Code: String, Hashable, Sendable {
        /// There is no such tty or host, or no program listens there.
        case notFound
        /// It exists, but this user may not use it.
        case accessDenied
        /// Another program uses it.
        case busy
        /// This system has no such stack, or the tty lacks the rate.
        case unsupported
        /// The operating system refused, for another reason.
        case system
    }

    /// The kind of fault.
    public var code: Code
    /// The address that was opened.
    public var address: CentralAddress
    /// The operation and its failure; one line.
    public var detail: String

    /// An error of opening `address`.
    public init(_ code: Code, _ address: CentralAddress, _ detail: String) {
        self.code = code
        self.address = address
        self.detail = detail
    }

    /// One line: the address and the detail.
    public var description: String { "\(address): \(detail)" }
}
