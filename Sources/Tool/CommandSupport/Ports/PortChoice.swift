import ArgumentParser
internal import ByteCodec
import ESPChips
import ESPFlasher
import SerialPort

/// Chooses the board's port for a command without `--port`, or with `--port auto`.
package struct PortChoice: Sendable {
    /// Lists the ports of this machine.
    private let list: @Sendable () async throws -> [PortDescription]
    /// Asks the user for one of the ports, with this text; `nil` if no user can be asked.
    private let ask: (@Sendable (String) -> String?)?
    private let note: @Sendable (String) -> Void

    /// A choice among the ports of this machine; asks on a terminal.
    package init(_ environment: Environment, _ output: Output) {
        let ask: @Sendable (String) -> String? = { question in
            output.prompt(question)
            return readLine()
        }
        let canAsk = environment.errorIsTerminal && RawTerminal.isInForeground
        list = { try await Ports.kinds.ports() }
        self.ask = canAsk ? ask : nil
        note = { output.note($0) }
    }

    /// The distinct ports that `selectors` select; without selectors, the only board's port.
    ///
    /// - Throws: ``CommandFailure`` with exit code `noPort` when there is no candidate or more than one.
    package func addresses(_ selectors: [PortSelector]) async throws -> [PortAddress] {
        var result: [PortAddress] = []
        for selector in selectors.isEmpty ? [.auto] : selectors {
            let address =
                switch selector {
                case .address(let address): address
                case .auto: try await only()
                }
            if !result.contains(address) { result.append(address) }
        }
        return result
    }

    /// The port that `selector` selects; without a selector, the only board's port.
    ///
    /// - Throws: ``CommandFailure`` with exit code `noPort` when there is no candidate or more than one.
    package func address(_ selector: PortSelector?) async throws -> PortAddress {
        if case .address(let address) = selector { return address }
        return try await only()
    }

    private func only() async throws -> PortAddress {
        let ports = PortCandidates.distinct(try await list())
        let candidates = PortCandidates.boards(among: ports)
        switch candidates.count {
        case 1:
            note("using \(PortCandidates.line(candidates[0]))")
            return candidates[0].address
        case 0:
            throw CommandFailure(.noPort, Self.none(ports), code: "port.none")
        default:
            if let ask, let chosen = Self.chosen(candidates, ask) { return chosen }
            let list = candidates.map { "  \(PortCandidates.line($0))" }.joined(separator: "\n")
            throw CommandFailure(
                .noPort, "expected one port with a board, found \(candidates.count):\n\(list)", code: "port.several")
        }
    }

    private static func none(_ ports: [PortDescription]) -> String {
        guard !ports.isEmpty else { return "expected a port with a board, found no serial port" }
        let list = ports.map { "  \(PortCandidates.line($0))" }.joined(separator: "\n")
        return "expected a port with a board, found only ports without USB:\n\(list)"
    }

    /// Asks until the answer is a number in the list; `nil` when the user gives no number.
    private static func chosen(_ candidates: [PortDescription], _ ask: (String) -> String?) -> PortAddress? {
        let list = candidates.enumerated().map { "  \($0 + 1)  \(PortCandidates.line($1))\n" }.joined()
        var question = "there are \(candidates.count) boards:\n\(list)which one (1-\(candidates.count))? "
        while let answer = ask(question) {
            let text = String(answer.drop { $0 == " " }.prefix { $0 != " " })
            if text.isEmpty { return nil }
            if let number = Int(text), candidates.indices.contains(number - 1) {
                return candidates[number - 1].address
            }
            question = "expected a number from 1 to \(candidates.count), or nothing to give up: "
        }
        return nil
    }
}

/// A value of `--port`: an address, or `auto`.
package enum PortSelector: Hashable, Sendable, CustomStringConvertible {
    /// The port at this address.
    case address(PortAddress)
    /// The only port of this machine that has a board.
    case auto

    /// Reads the value of an option.
    ///
    /// - Throws: `ValidationError` when it is neither.
    package init(option text: String) throws {
        if text == "auto" {
            self = .auto
            return
        }
        do {
            self = .address(try Ports.kinds.address(text))
        } catch {
            throw ValidationError(error.description)
        }
    }

    /// Checks the ports of a command that works on one board.
    ///
    /// - Throws: `ValidationError` when there are several.
    static func checkOne(_ ports: [PortSelector]) throws {
        guard ports.count > 1 else { return }
        let list = ports.map(\.description).joined(separator: ", ")
        throw ValidationError("--port: expected one board, got \(ports.count): \(list)")
    }

    /// The value as a user writes it.
    package var description: String {
        switch self {
        case .address(let address): address.text
        case .auto: "auto"
        }
    }
}

extension PortCandidates {
    /// The description of `port` on one line.
    package static func line(_ port: PortDescription) -> String {
        let details = [name(of: port), port.usb.map(\.ids) ?? "", port.usb?.serialNumber ?? ""]
        let text = details.filter { !$0.isEmpty }.joined(separator: ", ")
        return text.isEmpty ? port.address.text : "\(port.address.text)  \(text)"
    }

    /// The name of `port`, or the kind of its bridge.
    package static func name(of port: PortDescription) -> String {
        port.name.isEmpty ? port.usb.map(BoardBridges.name) ?? "" : port.name
    }
}

extension ConnectedBoard {
    /// The MAC address as text; empty when it is not known.
    package var macText: String {
        Hexadecimal.string(macAddress, separator: ":")
    }

    /// The board's properties on one line.
    package var line: String {
        let flash = flashSize.map { " with \($0 >> 20) MB of flash" } ?? ""
        let mode = isInSecureDownloadMode ? " in secure download mode" : ""
        let mac = macAddress.isEmpty ? "" : " " + macText
        return "\(isVirtual ? "virtual " : "")\(chip.name)\(mac)\(flash)\(mode)"
    }
}
