import BLECore
import BenchModel
import BenchReports
import Console
import Foundation
import MonotonicTime
import Testing

@Suite("Reports")
struct ReportTests {
    @Test("as JSON are the documented object, byte for byte")
    func json() throws {
        var suite = SampleResults.suite
        suite.cases[1].failures[0].failure.crash = [
            CodeFrame(address: 0x400D_1234, function: "f(int)", file: "/s/S.ino", line: 9, isInlined: true),
            CodeFrame(address: 0x400D_0001),
        ]
        let bytes = JSONReport(SampleResults.run).bytes(
            [suite], wallTime: .milliseconds(812),
            outcome: RunOutcome(name: "testsFailed", exitCode: 1, error: nil))
        let failure =
            #"{"name":"says it's 3","cause":"assertion","line":23,"column":9,"#
            + #""step":"expect: {notification: output, bytes: [a]}","#
            + #""expected":"a notification of output with 03 within 1 s","got":"04, after 12.5 ms","#
            + #""started":4000000000,"failed":4012500000,"#
            + #""rerun":"espbench test Firmware/Calculator/Suites/calculator.yaml --seed 7 --case 'says it'\\''s 3'","#
            + #""context":[{"t":3999000000,"source":"suite","kind":"step","case":3,"line":22,"text":"write: …"},"#
            + #"{"t":3999000100,"source":"first","kind":"write","case":3,"attribute":16,"value":"0102ff","response":false},"#
            + #"{"t":4010000000,"source":"console","kind":"console","case":3,"text":"Adding:   01 02"},"#
            + #"{"t":4012500000,"source":"first","kind":"notification","case":3,"attribute":18,"name":"output","value":"04"}],"#
            + #""caseStarted":3998000000,"parameters":[{"name":"a","value":3}],"#
            + #""crash":[{"address":"0x400d1234","function":"f(int)","file":"/s/S.ino","line":9,"inlined":true},"#
            + #"{"address":"0x400d0001"}]}"#
        let expected =
            #"{"version":1,"seed":"7","passed":65537,"failed":1,"skipped":2,"wallTime":812000000,"suites":["#
            + #"{"name":"Calculator","file":"Firmware/Calculator/Suites/calculator.yaml","sketch":"Calculator","#
            + #""passed":65537,"failed":1,"skipped":2,"benchTime":4499000000,"cases":["#
            + #"{"name":"adds {a} and {b}","line":12,"passed":65536,"failed":0,"skipped":0,"benchTime":2000500000,"#
            + #""failures":[]},"#
            + #"{"name":"says it's {a}","line":20,"passed":1,"failed":1,"skipped":2,"benchTime":2498500000,"#
            + #""skipReason":"after 1 failure","failures":["# + failure
            + #"]}]}],"run":{"id":"r1","started":1700000000,"bench":"virtual","#
            + #""versions":[{"name":"espbench","version":"0.7.0"}]},"outcome":"testsFailed","exitCode":1}"# + "\n"
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
        _ = try JSONSerialization.jsonObject(with: Data(bytes))
    }

    @Test("as JSON state why a run has no results")
    func jsonFault() {
        let fault = RunOutcome.Fault(message: "a.yaml:1:1: \"x\"", hint: nil)
        let bytes = JSONReport(RunInformation(seed: 0, bench: "virtual")).bytes(
            [], wallTime: .zero, outcome: RunOutcome(name: "nothingRan", exitCode: 2, error: fault))
        let expected =
            #"{"version":1,"seed":"0","passed":0,"failed":0,"skipped":0,"wallTime":0,"suites":[],"#
            + #""run":{"id":"","started":0,"bench":"virtual","versions":[]},"#
            + #""outcome":"nothingRan","exitCode":2,"error":{"message":"a.yaml:1:1: \"x\""}}"#
        #expect(String(decoding: bytes, as: UTF8.self) == expected + "\n")
    }

    @Test("as JSON list each instance if the run kept them")
    func jsonInstances() {
        func instance(_ name: String, _ number: Int, _ verdict: Verdict) -> InstanceResult {
            InstanceResult(
                name: name, number: number, verdict: verdict, started: SampleResults.at(1), ended: SampleResults.at(5))
        }
        var suite = SampleResults.suite
        suite.cases[1].instances = [
            instance("says it's 1", 1, .passed), instance("says it's 3", 2, .failed(SampleResults.failure)),
            instance("says it's 4", 0, .skipped(reason: "after 1 failure")),
        ]
        let bytes = JSONReport(SampleResults.run).bytes(
            [suite], wallTime: .zero, outcome: RunOutcome(name: "testsFailed", exitCode: 1, error: nil))
        let expected =
            #""instances":[{"name":"says it's 1","number":1,"verdict":"passed","started":1,"ended":5},"#
            + #"{"name":"says it's 3","number":2,"verdict":"assertion","started":1,"ended":5},"#
            + #"{"name":"says it's 4","number":0,"verdict":"skipped","reason":"after 1 failure","started":1,"ended":5}]}"#
        #expect(String(decoding: bytes, as: UTF8.self).contains(expected))
    }

    @Test(
        "show durations in a suitable unit",
        arguments: [
            (0, "0 ns"), (999, "999 ns"), (20_000, "20 µs"), (12_345_678, "12.345 ms"), (1_000_000_000, "1 s"),
            (61_050_000_000, "61.05 s"), (-1_500_000, "-1.5 ms"),
        ] as [(Int64, String)])
    func durations(nanoseconds: Int64, text: String) {
        #expect(Duration.nanoseconds(nanoseconds).brief == text)
    }
}
