import ArgumentParser
internal import BLECore
import BLERadio
import CommandSupport
import Foundation
import SerialNetwork
import SerialPOSIX

/// The options for the servers of serial lines.
struct SerialOfferOptions: ParsableArguments {
    @Option(
        name: .customLong("socket"),
        help: ArgumentHelp(
            "Serve raw bytes on this TCP port; 0: any. Once per board. With ',noreset' a client cannot reset the board.",
            valueName: "port"),
        transform: SocketOffer.init)
    var sockets: [SocketOffer] = []

    @Option(
        name: .customLong("rfc2217"),
        help: ArgumentHelp(
            "Serve RFC 2217, with modem lines, on this TCP port; 0: any. Once per board.", valueName: "port"),
        transform: NumberOption.port)
    var rfc2217: [UInt16] = []

    @Flag(help: "Serve each board as a pseudo-terminal, for programs that want the path of a tty.")
    var pty = false

    @Option(
        name: .customLong("pty-link"),
        help: ArgumentHelp(
            "Create a link to the board's pseudo-terminal here; implies --pty. Once per board.", valueName: "file"),
        completion: .file())
    var links: [String] = []

    @Option(
        help: ArgumentHelp(
            "The address to listen on; any address but loopback admits other machines.", valueName: "address"))
    var listen = "127.0.0.1"

    /// Checks that each option is given at most once per board.
    func check(boardCount: Int) throws {
        for (name, count) in [
            ("--socket", sockets.count), ("--rfc2217", rfc2217.count), ("--pty-link", links.count),
        ] where count > boardCount {
            throw ValidationError("\(name) is given \(count) times for \(boardCount) boards.")
        }
    }

    /// The offers of the board at `index`: without options, one of each kind on TCP.
    ///
    /// - Throws: `SerialPortError` when an address or link cannot be used.
    func offers(_ index: Int, log: @escaping @Sendable (String) -> Void) throws -> [SerialOffer] {
        let isAnyGiven = !sockets.isEmpty || !rfc2217.isEmpty || pty || !links.isEmpty
        var result: [SerialOffer] = []
        for offer in isAnyGiven ? Array(sockets.dropFirst(index).prefix(1)) : [SocketOffer(port: 0)] {
            let server = try SerialServer(.socket, host: listen, port: offer.port, log: log)
            result.append(.network(server, .socket, resetsBoard: offer.resetsBoard))
        }
        for port in isAnyGiven ? Array(rfc2217.dropFirst(index).prefix(1)) : [0] {
            let server = try SerialServer(.rfc2217, host: listen, port: port, log: log)
            result.append(.network(server, .rfc2217, resetsBoard: true))
        }
        // Ports are absolute paths.
        let link = links.dropFirst(index).first.map { URL(filePath: $0).standardizedFileURL.path }
        if pty || link != nil {
            let server = try PTYServer(log: log)
            result.append(.terminal(server, link: try link.map { try PortLink($0, to: server.path) }))
        }
        return result
    }
}

/// The options for the TCP ports of the far ends of the boards' other UARTs.
struct UARTOfferOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Connect this TCP port (0: any) to UART 1 (Serial1) of a virtual board, as raw bytes. Once per board. With \
            ',rtscts', bytes are sent to the board only while it asserts RTS.
            """,
            valueName: "port"),
        transform: UARTOffer.init)
    var uart1: [UARTOffer] = []

    @Option(
        help: ArgumentHelp("The same for UART 2 (Serial2).", valueName: "port"), transform: UARTOffer.init)
    var uart2: [UARTOffer] = []

    /// True if no such port is given.
    var isEmpty: Bool { uart1.isEmpty && uart2.isEmpty }

    /// Checks that each option is given at most once per sketch.
    func check(sketchCount: Int) throws {
        for (name, count) in [("--uart1", uart1.count), ("--uart2", uart2.count)] where count > sketchCount {
            throw ValidationError("\(name) is given \(count) times for \(sketchCount) sketches.")
        }
    }

    /// The servers for the board at `index`.
    ///
    /// - Throws: `SerialPortError` when an address cannot be used.
    func servers(
        _ index: Int, listen: String, log: @escaping @Sendable (String) -> Void
    ) throws -> [(uart: Int, watchesRTS: Bool, offer: SerialOffer)] {
        try [(1, uart1), (2, uart2)].flatMap { uart, offers in
            try offers.dropFirst(index).prefix(1).map { offer in
                let server = try SerialServer(.socket, host: listen, port: offer.port, log: log)
                return (uart, offer.watchesRTS, .network(server, .socket, resetsBoard: false))
            }
        }
    }
}

/// A TCP port of `serve --uart1`.
struct UARTOffer: Sendable, Equatable {
    /// The word for a far end that obeys RTS.
    static let flowControl = "rtscts"

    /// The TCP port; 0: any.
    let port: UInt16
    /// True if bytes are sent only while the board asserts RTS.
    let watchesRTS: Bool

    /// Parses `PORT` or `PORT,rtscts`.
    init(_ text: String) throws {
        let parts = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        guard let port = parts.first.flatMap({ UInt16($0) }), parts.count == 1 || parts[1] == Self.flowControl else {
            throw ValidationError("expected a port of 0 to 65535, or 'port,\(Self.flowControl)', got '\(text)'")
        }
        self.port = port
        watchesRTS = parts.count == 2
    }
}

/// A TCP port of `serve --socket`: its number, and whether its client needs no modem lines.
struct SocketOffer: Sendable, Equatable {
    /// The word for a port whose board does not reset itself.
    static let noReset = "noreset"

    /// The TCP port; 0: any.
    let port: UInt16
    /// True if a SYNC resets the board into download mode, and closing the connection restarts it.
    let resetsBoard: Bool

    /// A port whose board resets itself.
    init(port: UInt16) {
        self.port = port
        resetsBoard = true
    }

    /// Parses `PORT` or `PORT,noreset`.
    init(_ text: String) throws {
        let parts = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        guard let port = parts.first.flatMap({ UInt16($0) }), parts.count == 1 || parts[1] == Self.noReset else {
            throw ValidationError("expected a port of 0 to 65535, or 'port,\(Self.noReset)', got '\(text)'")
        }
        self.port = port
        resetsBoard = parts.count == 1
    }
}

/// Controllers to offer on one TCP port: `PORT`, `PORT:KIND` or `PORT:KIND:ADDRESS`.
package struct H4Offer {
    package let port: UInt16
    package let controller: ControllerChoice

    package init(_ text: String) throws {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let port = UInt16(parts[0]) else {
            throw ValidationError("Expected a TCP port from 0 to 65535, got '\(parts[0])'.")
        }
        self.port = port
        controller = try ControllerChoice(parts.count > 1 ? parts[1] : "")
    }
}

/// The kinds of controller, by their names on the command line.
package enum ControllerKind: String, CaseIterable {
    case bluetooth42 = "4.2"
    case bluetooth50 = "5.0"
    case extended

    package static let `default` = ControllerKind.bluetooth42

    /// All names, for messages.
    package static let list = "4.2, 5.0 or extended"

    var personality: ControllerPersonality {
        switch self {
        case .bluetooth42: .esp32
        case .bluetooth50: .bluetooth5_0
        case .extended: .extended
        }
    }
}

/// A controller to offer: `KIND` or `KIND:ADDRESS`; both are optional.
package struct ControllerChoice {
    let kind: ControllerKind
    /// The controller's public address; `nil`: a free address.
    let address: DeviceAddress?

    /// - Throws: `ValidationError`.
    init(_ text: some StringProtocol) throws {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
        let name = parts.first ?? ""
        guard let kind = name.isEmpty ? .default : ControllerKind(rawValue: name) else {
            throw ValidationError("Expected a controller of kind \(ControllerKind.list), got '\(name)'.")
        }
        self.kind = kind
        address = parts.count > 1 ? try Self.address(parts[1]) : nil
    }

    private static func address(_ text: String) throws -> DeviceAddress {
        guard let address = DeviceAddress(text, .public) else {
            throw ValidationError("Expected a controller's address like 02:EC:00:00:00:01, got '\(text)'.")
        }
        // Hosts treat the first value as no address, and HCI the second as any address.
        guard address.value != 0, address.value != 0xFFFF_FFFF_FFFF else {
            throw ValidationError("Expected a controller's address other than all zeros or all ones, got '\(text)'.")
        }
        return address
    }

    /// Checks that no address is given twice.
    static func check(_ choices: [ControllerChoice]) throws {
        var seen: Set<DeviceAddress> = []
        for address in choices.compactMap(\.address) where !seen.insert(address).inserted {
            throw ValidationError("Two controllers have the address \(address): give each its own.")
        }
    }
}
