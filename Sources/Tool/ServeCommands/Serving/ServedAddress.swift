import CommandSupport

/// An address to which other programs connect, as `serve` and `live` print it.
struct ServedAddress: Encodable {
    /// Distinguishes the object from console lines.
    let event = "address"
    var address: String
    /// The sketch or the chip of the board.
    var board: String?
    /// The board's number, if there are several.
    var number: Int?
    /// The board's UART, if it is not the console's.
    var uart: Int?
    /// The port of this machine that is served.
    var port: String?
    /// The kind of Bluetooth controller.
    var controller: String?
    /// The address of the controller, if it is fixed.
    var bluetooth: String?

    /// The line that is printed: an object, or words.
    func line(isJSON: Bool) throws -> String {
        if isJSON { return try JSONLine.text(self) + "\n" }
        let label = board.map { name in uart.map { "\(name), UART \($0)" } ?? name } ?? port ?? controller
        return [address, label, bluetooth].compactMap { $0 }.joined(separator: "  ") + "\n"
    }
}

/// A line of a served board's console, as `serve --console --json` prints it; `note` is a remark on the previous line.
struct ServedLine: Encodable {
    var event: String
    var board: String
    var number: Int?
    /// Since the board was powered.
    var milliseconds: Int64?
    var text: String

    private enum CodingKeys: String, CodingKey {
        case event, board, number, text
        case milliseconds = "time_ms"
    }
}
