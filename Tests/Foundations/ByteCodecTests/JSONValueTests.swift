import ByteCodec
import Testing

@Suite("JSON values")
struct JSONValueTests {
    @Test("are read with every kind of value")
    func read() throws {
        let value = try JSONValue(#" {"a": [1, -2.50e+3, "x\n\u00e9"], "b": {"c": null}, "d": true, "e": false} "#.utf8)
        let members: [JSONValue.Member] = [
            JSONValue.Member(name: "a", value: .list([.number("1"), .number("-2.50e+3"), .text("x\né")])),
            JSONValue.Member(name: "b", value: .object([JSONValue.Member(name: "c", value: .null)])),
            JSONValue.Member(name: "d", value: .bool(true)), JSONValue.Member(name: "e", value: .bool(false)),
        ]
        #expect(value == .object(members))
        #expect(try JSONValue("0".utf8) == .number("0"))
        #expect(try JSONValue("[]".utf8) == .list([]))
    }

    private static let faults: [(String, String)] = [
        ("", "expected a value at byte 1, got the end"),
        ("{\"a\": 1", "expected ',' or '}' at byte 8, got the end"),
        ("{\"a\" 1}", "expected ':' at byte 6, got '1'"),
        ("{a: 1}", "expected a name in double quotes at byte 2, got 'a'"),
        ("{\"a\": 1,}", "expected a name in double quotes at byte 9, got '}'"),
        ("{\"a\": 1, \"a\": 2}", "the name 'a' is twice in one object, before byte 13"),
        ("[1 2]", "expected ',' or ']' at byte 4, got '2'"),
        ("[01]", "expected a number without leading zeros at byte 2, got '0'"),
        ("[1.]", "expected a digit at byte 4, got ']'"),
        ("nul", "expected a value at byte 1, got 'n'"),
        ("{}\0", "expected the end at byte 3, got 0x00"),
        ("\"a", "expected a text in double quotes at byte 3, got the end"),
        (
            String(repeating: "[", count: 100_000),
            "expected at most 64 nested lists and objects at byte 66, got '['"
        ),
    ]

    @Test("that are malformed are refused with the place", arguments: faults)
    func refused(_ text: String, _ fault: String) {
        let error = #expect(throws: JSONFault.self) { try JSONValue(text.utf8) }
        #expect(error?.description == fault)
    }
}
