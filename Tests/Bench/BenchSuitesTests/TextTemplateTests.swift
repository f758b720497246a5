import BenchSuites
import Testing

@Suite("Text templates")
struct TextTemplateTests {
    @Test(
        "format values like printf",
        arguments: [
            ("Sending response:   {a * b & 0xff:02x}", "Sending response:   0f"), ("{a}", "3"),
            ("{0 - a:4d}|", "  -3|"),
            ("{0 - a:04d}", "-003"), ("{a:08b}", "00000011"), ("{255:X}{255:x}", "FFff"), ("{{a}} {a}", "{a} 3"),
            ("{a > 1 ? b : 0:02x}", "05"), ("plain", "plain"), ("", ""), ("ünï {b}", "ünï 5"), ("{a}{b}", "35"),
        ])
    func renders(source: String, expected: String) throws {
        var context = EvaluationContext(parameters: [3, 5])
        #expect(try TextTemplate(source, parameters: ["a", "b"]).rendered(&context) == expected)
    }

    @Test(
        "that are malformed report the position",
        arguments: [
            ("x {a", 4, "expected ':' with a format or '}', got the end"),
            ("x }", 2, "a single '}' closes nothing, write '}}' for the brace itself"),
            ("{c}", 1, "unknown name 'c', expected one of: a"),
            ("{a:2q}", 3, "expected a format such as d, x, X, b or 02x, got '2q'"),
            ("{a:999x}", 3, "expected a format such as d, x, X, b or 02x, got '999x'"),
            ("{a:x", 4, "expected '}' after the format, got the end"),
            ("{}", 1, "expected a number, a name or '(', got '}'"),
            ("{a b}", 3, "expected ':' with a format or '}', got 'b'"),
        ])
    func rejects(source: String, offset: Int, message: String) {
        do {
            _ = try TextTemplate(source, parameters: ["a"])
            Issue.record("\(source) was accepted")
        } catch {
            #expect(error.message == message)
            #expect(error.offset == offset)
        }
    }
}
