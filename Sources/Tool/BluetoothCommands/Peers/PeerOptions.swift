import ArgumentParser
internal import BLECentral
internal import BLEClients
import CommandSupport
internal import Console
internal import SourceText

/// The options for the peer and its connection.
struct PeerOptions: ParsableArguments {
    /// The help text for peers.
    static let peer = ArgumentHelp(
        """
        The peer: its address, the name or a service that it advertises; name:TEXT selects by name only, service:UUID \
        by service only.
        """,
        valueName: "peer")

    @OptionGroup var central: CentralOption

    @Option(
        help: ArgumentHelp(
            """
            The time limit for finding the peer, for connecting to it, and for each of its answers; three times as long \
            for all of its services. (default: 10s)
            """,
            valueName: "time"),
        transform: TimeOption.duration)
    var timeout: Duration = .seconds(10)

    @Option(
        help: ArgumentHelp(
            """
            When pairing: the six digits that the peer displays or that the user enters on it. (default: ask for the \
            digits, or show them)
            """,
            valueName: "digits"),
        transform: Self.passkey)
    var passkey: UInt32?

    @Flag(help: "When pairing: confirm that both sides show the same number, without asking.")
    var yes = false

    static func passkey(_ text: String) throws -> UInt32 {
        guard let passkey = PasskeyText.passkey(text) else {
            throw ValidationError("A passkey has six digits, got '\(text)'.")
        }
        return passkey
    }
}

/// The options for the serial line of a board and its connection.
struct BLESerialOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The board: its address, the name or a service that it advertises; name:TEXT selects by name only, \
            service:UUID by service only. (default: the first that advertises a serial line)
            """,
            valueName: "peer"))
    var peer: String?

    @Option(help: ArgumentHelp("The board of this name: the same as --peer name:TEXT.", valueName: "text"))
    var name: String?

    @OptionGroup var central: CentralOption

    @Option(
        help: ArgumentHelp(
            "Bits per second of the board's UART: bytes are sent no faster. (default: 115200)", valueName: "rate"),
        transform: NumberOption.within(BLESerialPace.baudRates))
    var baud = 115_200

    @Option(
        help: ArgumentHelp(
            "The size of the board's buffer for its UART. (default: the bytes of 200 ms)",
            valueName: "bytes"),
        transform: NumberOption.within(BLESerialPace.windows))
    var window: Int?

    @Option(
        help: ArgumentHelp(
            "The number of further attempts, 1 s apart, after a connection is lost or fails. "
                + "(default: for ever; 3 times for the input of a program)",
            valueName: "count"),
        transform: NumberOption.within(0...Int.max))
    var tries: Int?

    @Flag(help: "End with exit code 17 when the connection is lost.")
    var noReconnect = false

    func validate() throws {
        if peer != nil, name != nil { throw ValidationError("--peer and --name both say which board.") }
        if name == "" { throw ValidationError("--name expects a name, got an empty text.") }
        if tries != nil, noReconnect { throw ValidationError("--tries cannot be combined with --no-reconnect.") }
    }

    /// The word for the board in messages.
    var noun: String {
        if let text = name ?? peer { return "board '\(text.printable)' with a serial line" }
        return "board with a serial line"
    }

    /// The client of the line.
    ///
    /// - Parameter isLasting: whether to retry without a limit, unless the options set one.
    func serial(_ central: Central, isLasting: Bool) throws -> BLESerial {
        let text = name.map { "name:\($0)" } ?? peer
        let selector = try text.map { try PeerSelector($0, hidesAddresses: !central.abilities.contains(.address)) }
        let policy =
            noReconnect ? .never : ReconnectionPolicy(tries: tries ?? (isLasting ? nil : ReconnectionPolicy().tries))
        return BLESerial(central, pace: BLESerialPace(baudRate: baud, window: window), policy: policy) {
            advertisement in
            advertisement.isConnectable && (selector?.matches(advertisement) ?? advertisement.offersSerial)
        }
    }
}
