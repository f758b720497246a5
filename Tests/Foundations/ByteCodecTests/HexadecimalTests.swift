import ByteCodec
import Testing

@Suite struct HexadecimalTests {
    @Test func numbersHaveAtLeastTheirDigits() {
        #expect(Hexadecimal.number(UInt8(0x0B), digits: 2, uppercase: true) == "0x0B")
        #expect(Hexadecimal.number(UInt16(0x21), digits: 4) == "0x0021")
        #expect(Hexadecimal.number(0x1_0000, digits: 4) == "0x10000" && Hexadecimal.number(0) == "0x0")
        #expect(Hexadecimal.digits(UInt32(0x2028), count: 8) == "00002028")
    }

    /// Timelines refuse what a stub's file may have.
    @Test func valuesOfOtherKindsAreSkippedOnRequestOnly() throws {
        let text = Array(#"{"a": [1, {"x": "]}"}], "b": 7, "c": -2.5, "d": null, "e": ["y"], "f": true}"#.utf8)
        let values = try FlatJSON.object(text[...], skipsOthers: true)
        #expect(
            values == [
                "a": .other, "b": .integer(7), "c": .other, "d": .other, "e": .strings(["y"]), "f": .bool(true),
            ])
        let fault = #expect(throws: FlatJSON.Fault.self) { try FlatJSON.object(text[...]) }
        #expect(fault?.position == 7)
        for wrong in [#"{"a": [}"#, #"{"a": 1 "b": 2}"#, #"{"a": nil}"#, #"{"a": {"b": ]}}"#, #"{"a": [["#] {
            #expect(throws: FlatJSON.Fault.self) { try FlatJSON.object(Array(wrong.utf8)[...], skipsOthers: true) }
        }
    }
}
