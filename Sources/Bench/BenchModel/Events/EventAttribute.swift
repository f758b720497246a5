/// The attribute that an event is about: by the name that the suite or test gives it, else by its handle.
public struct EventAttribute: Hashable, Sendable {
    /// The ATT handle; `nil` on stacks that hide handles.
    public var handle: UInt16?
    /// The name in the suite.
    public var name: String?

    /// An attribute.
    public init(handle: UInt16?, name: String? = nil) {
        self.handle = handle
        self.name = name
    }

    init(_ fields: EventFields) throws(TimelineError) {
        handle = try fields.optionalNumber("attribute")
        name = try fields.optionalString("name")
    }

    func write(to json: inout JSONWriter) {
        if let handle { json.integer("attribute", Int(handle)) }
        if let name { json.string("name", name) }
    }

    /// As events show it.
    public var text: String { name ?? handle.map { "0x" + String(Int($0) + 0x10000, radix: 16).dropFirst() } ?? "?" }
}

/// Numbers and bytes as events show them.
enum EventText {
    static func octet(_ value: UInt8) -> String {
        "0x" + (value < 16 ? "0" : "") + String(value, radix: 16, uppercase: true)
    }

    static func bytes(_ bytes: [UInt8]) -> String {
        let text = bytes.prefix(32).map { String(Int($0) + 0x100, radix: 16).dropFirst() }.joined(separator: " ")
        return bytes.isEmpty ? "(no bytes)" : bytes.count > 32 ? "\(text) … (\(bytes.count) bytes)" : text
    }

    static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
