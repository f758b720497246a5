import FlyingFox
import Foundation

/// A command of the page's user, as JSON: `{"do": "board.button", "board": 1, "pin": 0, "on": true}`.
package enum LiveCommand: Sendable, Equatable {
    /// A command for one of the boards, which are numbered from 0.
    package enum Board: Sendable, Equatable {
        case power(Bool)
        case reset
        case button(pin: Int, isPressed: Bool)
        case type(String)
        case set(part: String, quantity: String, value: Double)
        case plug(part: String, Bool)
    }

    case board(Int, Board)
    case listen(Bool)
    case search(Bool)
    case connect(String)
    case disconnect
    case read(String)
    case write(String, value: [UInt8], hasResponse: Bool)
    case subscribe(String, Bool)
    case pair
    case answer(isAccepted: Bool, passkey: String?)
    case forget
    case open(LiveApp, Bool)
    case press(String)
    case lock(Bool)
    case speed(Double)
    case step(Duration)
    case stepToNextEvent

    /// The maximum step, and the maximum length of a line and of a value.
    private static let maximumStep = 3_600_000.0
    private static let maximumLine = 1024
    private static let maximumValue = 512

    /// Reads a command.
    ///
    /// - Throws: a fault that states the expected form.
    package init(_ json: Data) throws(RequestFault) {
        let fields: CommandFields
        do {
            fields = try JSONDecoder().decode(CommandFields.self, from: json)
        } catch DecodingError.typeMismatch(_, let context)
            where context.codingPath.last.map { $0.stringValue != "do" } == true
        {
            throw RequestFault(
                .badRequest, "'\(context.codingPath.last?.stringValue ?? "")' is of another type than expected")
        } catch {
            throw RequestFault(.badRequest, "expected a command as a JSON object with 'do', got something else")
        }
        try self.init(fields)
    }

    private init(_ fields: CommandFields) throws(RequestFault) {
        switch fields.do {
        case "board.power": self = .board(try fields.boardNumber(), .power(try fields.flag()))
        case "board.reset": self = .board(try fields.boardNumber(), .reset)
        case "board.button":
            let pin = try fields.number("pin", fields.pin, in: 0...48)
            self = .board(try fields.boardNumber(), .button(pin: pin, isPressed: try fields.flag()))
        case "board.type":
            self = .board(try fields.boardNumber(), .type(try fields.text(limit: Self.maximumLine)))
        case "part.set":
            guard let value = fields.value else { throw RequestFault(.badRequest, "expected 'value', a number") }
            let (part, quantity) = (try fields.name("part", fields.part), try fields.name("quantity", fields.quantity))
            self = .board(try fields.boardNumber(), .set(part: part, quantity: quantity, value: value))
        case "part.plug":
            let part = try fields.name("part", fields.part)
            self = .board(try fields.boardNumber(), .plug(part: part, try fields.flag()))
        case "air.listen": self = .listen(try fields.flag())
        case "phone.search": self = .search(try fields.flag())
        case "phone.connect": self = .connect(try fields.identifier())
        case "phone.disconnect": self = .disconnect
        case "phone.read": self = .read(try fields.identifier())
        case "phone.write":
            self = .write(
                try fields.identifier(), value: try fields.bytes(limit: Self.maximumValue),
                hasResponse: fields.response ?? true)
        case "phone.subscribe": self = .subscribe(try fields.identifier(), try fields.flag())
        case "phone.pair": self = .pair
        case "phone.answer": self = .answer(isAccepted: try fields.flag(), passkey: try fields.digits())
        case "phone.forget": self = .forget
        case "calculator.open": self = .open(.calculator, try fields.flag())
        case "calculator.press": self = .press(try fields.text(limit: 8))
        case "lock.open": self = .open(.lock, try fields.flag())
        case "lock.set": self = .lock(try fields.flag())
        case "time.speed":
            guard let speed = fields.speed, ClockState.speeds.contains(speed) else {
                throw RequestFault(.badRequest, "expected 'speed' of 0 to 100")
            }
            self = .speed(speed)
        case "time.step":
            guard let step = fields.milliseconds, step > 0, step <= Self.maximumStep else {
                throw RequestFault(.badRequest, "expected 'milliseconds' above 0, at most an hour")
            }
            self = .step(.nanoseconds(Int64(step * 1_000_000)))
        case "time.next": self = .stepToNextEvent
        default: throw RequestFault(.badRequest, "there is no such command")
        }
    }
}

/// The fields of commands.
private struct CommandFields: Decodable {
    var `do`: String
    var board: Int?
    var on: Bool?
    var pin: Int?
    var id: String?
    var text: String?
    var hex: String?
    var response: Bool?
    var passkey: String?
    var speed: Double?
    var milliseconds: Double?
    var part: String?
    var quantity: String?
    var value: Double?

    func flag() throws(RequestFault) -> Bool {
        guard let on else { throw RequestFault(.badRequest, "expected 'on': true or false") }
        return on
    }

    /// The number of the board; 0 if the page names none.
    func boardNumber() throws(RequestFault) -> Int { try number("board", board ?? 0, in: 0...255) }

    func number(_ name: String, _ value: Int?, in range: ClosedRange<Int>) throws(RequestFault) -> Int {
        guard let value, range.contains(value) else {
            throw RequestFault(.badRequest, "expected '\(name)' of \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    func identifier() throws(RequestFault) -> String { try name("id", id) }

    func name(_ field: String, _ value: String?) throws(RequestFault) -> String {
        guard let value, !value.isEmpty, value.utf8.count <= 128 else {
            throw RequestFault(.badRequest, "expected '\(field)', a text of at most 128 bytes")
        }
        return value
    }

    func text(limit: Int) throws(RequestFault) -> String {
        guard let text, text.utf8.count <= limit, !text.contains(where: \.isNewline) else {
            throw RequestFault(.badRequest, "expected 'text', one line of at most \(limit) bytes")
        }
        return text
    }

    func bytes(limit: Int) throws(RequestFault) -> [UInt8] {
        if hex == nil, let text {
            guard text.utf8.count <= limit else {
                throw RequestFault(.badRequest, "expected 'text' of at most \(limit) bytes")
            }
            return Array(text.utf8)
        }
        let digits = (hex ?? "").utf8.filter { $0 != 0x20 }
        var bytes: [UInt8] = []
        for pair in stride(from: 0, to: digits.count, by: 2) {
            let word = String(decoding: digits[pair..<min(pair + 2, digits.count)], as: UTF8.self)
            guard word.utf8.count == 2, word.allSatisfy(\.isHexDigit), let byte = UInt8(word, radix: 16) else {
                throw RequestFault(.badRequest, "expected 'hex', pairs of hexadecimal digits")
            }
            bytes.append(byte)
        }
        guard hex != nil, bytes.count <= limit else {
            throw RequestFault(.badRequest, "expected 'hex' or 'text' of at most \(limit) bytes")
        }
        return bytes
    }

    func digits() throws(RequestFault) -> String? {
        guard let passkey else { return nil }
        guard passkey.utf8.count == 6, passkey.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw RequestFault(.badRequest, "expected 'passkey' of six digits")
        }
        return passkey
    }
}
