internal import ByteCodec
internal import BLECentral

/// The name of an operation, for errors: "read 0x0021". The text is only built when an error occurs.
struct OperationName: ExpressibleByStringInterpolation, CustomStringConvertible {
    let verb: String
    var attribute: AttributeID?

    init(_ verb: String, _ attribute: AttributeID) {
        self.verb = verb
        self.attribute = attribute
    }

    init(stringLiteral verb: String) {
        self.verb = verb
    }

    var description: String {
        guard let attribute else { return verb }
        return "\(verb) \(Hexadecimal.number(attribute.rawValue, digits: 4, uppercase: true))"
    }
}
