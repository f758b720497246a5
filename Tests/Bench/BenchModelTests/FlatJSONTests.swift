import BenchModel
import ByteCodec
import Foundation
import MonotonicTime
import Testing

@Suite("The JSON of timelines")
struct FlatJSONTests {
    /// What Foundation's decoder reads.
    private enum Judged: Decodable, Equatable {
        case integer(Int64)
        case bool(Bool)
        case string(String)
        case strings([String])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(Bool.self) {
                self = .bool(value)
            } else if let value = try? container.decode(Int64.self) {
                self = .integer(value)
            } else if let value = try? container.decode(String.self) {
                self = .string(value)
            } else {
                self = .strings(try container.decode([String].self))
            }
        }

        init?(_ value: FlatJSON.Value) {
            switch value {
            case .integer(let value): self = .integer(value)
            case .bool(let value): self = .bool(value)
            case .string(let value): self = .string(value)
            case .strings(let value): self = .strings(value)
            case .other: return nil
            }
        }
    }

    private func expectSame(_ text: [UInt8]) {
        let ours = try? FlatJSON.object(text[...]).mapValues(Judged.init)
        // Bytes that are no UTF-8 are shown as U+FFFD, which Foundation refuses.
        let repaired = String(decoding: text, as: UTF8.self)
        let judged = try? JSONDecoder().decode([String: Judged].self, from: Data(repaired.utf8))
        #expect(ours == judged, "\(repaired)")
    }

    @Test(
        "is read as Foundation reads it",
        arguments: [
            "{}", " { } ", "{\"a\":1}\r", "{\"a\" : -7 , \"b\":\t[ ]\n}", #"{"a":["x","\"y\\"],"b":true,"c":false}"#,
            #"{"é":"\u00e9\ud83d\ude00\b\f\n\r\t\/"}"#, #"{"a":9223372036854775807,"b":-9223372036854775808}"#,
            #"{"a":"\#u{7F}"}"#, "", "{", "}", "[]", "1", "null", #"{"a"}"#, #"{"a":}"#, #"{,}"#,
            #"{"a":1 "b":2}"#, #"{"a":01}"#, #"{"a":-}"#, #"{"a":+1}"#, #"{"a":9223372036854775808}"#, #"{"a":1.5}"#,
            #"{"a":null}"#, #"{"a":{}}"#, #"{"a":[1]}"#, #"{"a":[[]]}"#, #"{"a":tru}"#,
            #"{"a":truex}"#, #"{"a":"\x"}"#, #"{"a":"\u12"}"#, #"{"a":"\ud83d"}"#, #"{"a":"\ud83dx"}"#,
            #"{"a":"\ude00"}"#, "{\"a\":\"\n\"}", #"{"a":"x}"#, #"{"a":1}x"#, #"{'a':1}"#, #"{a:1}"#,
        ])
    func same(text: String) {
        expectSame(Array(text.utf8))
    }

    @Test(
        "has no comma after the last element, which Foundation lets pass", arguments: [#"{"a":1,}"#, #"{"a":["x",]}"#])
    func comma(text: String) {
        #expect(throws: FlatJSON.Fault.self) { try FlatJSON.object(Array(text.utf8)[...]) }
    }

    @Test("is read as Foundation reads it after any byte of an event has become another")
    func mutated() {
        var random = SeededRandom(seed: 12)
        for sample in EventSamples.all {
            var writer = TimelineLineWriter()
            writer.append(BenchEvent(time: .zero, source: "sé\"\\\u{1}", caseNumber: 2, payload: sample.payload))
            for _ in 0..<100 {
                var line = writer.bytes
                let place = Int(random.next() % UInt64(line.count))
                let bytes = Array("\"\\{}[]:,0189-tfu \u{1}x".utf8)
                line[place] = bytes[Int(random.next() % UInt64(bytes.count))]
                let text = String(decoding: line, as: UTF8.self)
                if text.contains(/,\s*[}\]]/) { continue }
                expectSame(line)
            }
        }
    }
}
