import Foundation
import SerialPort

/// A listed port, as `espbench ports --json` prints it.
struct PortRecord: Codable, Hashable, Sendable {
    /// The USB device behind it.
    struct USB: Codable, Hashable, Sendable {
        /// Four hexadecimal digits.
        var vendor: String
        /// Four hexadecimal digits.
        var product: String
        var serialNumber: String?
        /// The bus and the ports from the root hub.
        var location: String
    }

    /// The address for `--port`.
    var port: String
    /// The `usb:` address of the same UART, if it has one beside ``port``.
    var also: String?
    /// The kind of port, e.g. `tty`.
    var kind: String
    var name: String?
    var driver: String?
    var usb: USB?
    /// The program that has it open, if known.
    var holder: String?
    /// Whether a command without `--port` considers it.
    var isCandidate: Bool
    /// With `--probe`: the board, or why there is none.
    var board: LoaderEvent.Board?
    var error: String?

    /// `port` without what is on it; `also` opens it, too.
    init(_ port: PortDescription, also: PortAddress? = nil, isCandidate: Bool) {
        self.port = port.address.text
        self.also = also?.text
        kind = port.address.kind
        let text = PortCandidates.name(of: port)
        name = text.isEmpty ? nil : text
        driver = port.driver.isEmpty ? nil : port.driver
        holder = port.holder
        self.isCandidate = isCandidate
        if let device = port.usb {
            let ids = device.ids.split(separator: ":").map(String.init)
            usb = USB(
                vendor: ids[0], product: ids[1], serialNumber: device.serialNumber, location: device.location)
        }
    }

    /// An array of records, or one, as JSON on one line.
    static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
