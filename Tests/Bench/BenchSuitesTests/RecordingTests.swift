import Bench
import BenchModel
import BenchSuites
import BoardParts
import MonotonicTime
import Testing
import YAMLReading

/// Quantities that follow the columns of a CSV file, and their mistakes.
@Suite("Recordings") struct RecordingTests {
    private func suite(_ value: String, _ file: String) throws -> Suite {
        let steps = "  - {name: x, steps: [set: {\(value): outdoor.csv}]}\n"
        return try Suite(
            yaml: "suite: Fake\nsketch: Calculator\nparts: {climate: {part: bme280}}\ncases:\n" + steps, file: "s.yaml"
        ) { path in
            #expect(path == "outdoor.csv")
            return file
        }
    }

    @Test("of all columns, or one", arguments: ["climate", "climate.temperature"]) func columns(_ part: String) throws {
        _ = try suite(part, "\u{FEFF}time (ms),temperature\r\n0, 20.5 \r\n1500,\"-3\"\r\n\r\n")
        let only = part.contains(".") ? nil : "unknown quantity 'temprature' of 'climate' (did you mean 'temperature'?)"
        let error = #expect(throws: SuiteError.self) { try suite(part, "time,temprature\n0,1\n") }
        #expect(
            error?.description.contains(only ?? "expected a column 'temperature', got temprature") == true,
            "\(error?.description ?? "")")
    }

    private static let mistakes: [(file: String, message: String)] = [
        ("", "outdoor.csv:1: expected the column 'time'"),
        ("temperature\n1\n", "outdoor.csv:1: expected the column 'time'"),
        ("time\n1\n", "outdoor.csv:1: expected a column with a name of its own for each quantity, got 'time'"),
        ("time,temperature,temperature\n", "outdoor.csv:1: expected a column with a name of its own"),
        ("time,temperature\n", "outdoor.csv:1: expected a row of values after the first, got none"),
        ("time,temperature\n0,1\n2,\n", "outdoor.csv:3: no value for 'temperature': every row needs one"),
        ("time,temperature\n0,1\n2\n", "outdoor.csv:3: expected 2 values, got 1"),
        ("time,temperature\n0,1\n0,2\n", "outdoor.csv:3: expected a time after 0 ns, got 0 ns"),
        ("time,temperature\n-1,1\n", "outdoor.csv:2: expected a time of 0 or more, got '-1'"),
        ("time,temperature\n1e300,1\n", "outdoor.csv:2: expected a time of 0 or more, got '1e300'"),
        ("time,temperature\n0,nan\n", "outdoor.csv:2: expected 'temperature' of -40...85, got 'nan'"),
        ("time,temperature\n0,99\n", "outdoor.csv:2: expected 'temperature' of -40...85, got '99'"),
        ("time;temperature\n0;1\n", "outdoor.csv:1: expected the column 'time'"),
    ]

    @Test("with mistakes", arguments: mistakes) func faults(_ file: String, _ message: String) {
        let error = #expect(throws: SuiteError.self) { try suite("climate", file) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test("are followed evenly, and end at their last value") func course() {
        let points = [(0, 10.0), (2, 20), (4, 0)].map {
            QuantityCourse.Point(after: .seconds($0.0), value: $0.1)
        }
        let course = QuantityCourse.recording(points, start: .zero.advanced(by: .seconds(100)))
        let values = [99.0, 100, 101, 102, 103, 104, 200].map {
            course.value(at: .zero.advanced(by: .milliseconds(Int($0 * 1000))))
        }
        #expect(values == [10, 10, 15, 20, 10, 0, 0])
    }
}
