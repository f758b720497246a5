internal import BLECentral

/// What is being done, for errors: "read 0x0021". Its text is only put together when there is one.
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
        let digits = String(attribute.rawValue, radix: 16, uppercase: true)
        return "\(verb) 0x\(String(repeating: "0", count: 4 - digits.count))\(digits)"
    }
}
