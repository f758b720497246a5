import ArgumentParser
import SerialPort

/// A value of `--port`: an address, or `auto`.
enum PortSelector: Hashable, Sendable, CustomStringConvertible {
    /// This port.
    case address(PortAddress)
    /// The only port of this machine that has a board.
    case auto

    /// Reads the value of an option.
    ///
    /// - Throws: `ValidationError` when it is neither.
    init(option text: String) throws {
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
    var description: String {
        switch self {
        case .address(let address): address.text
        case .auto: "auto"
        }
    }
}
