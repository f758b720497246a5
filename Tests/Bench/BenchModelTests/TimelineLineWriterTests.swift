import BLECore
import BenchModel
import Foundation
import MonotonicTime
import Testing

@Suite("Timeline lines")
struct TimelineLineWriterTests {
    private func line(_ payload: any EventPayload, caseNumber: Int) -> String {
        var writer = TimelineLineWriter()
        writer.append(
            BenchEvent(
                time: MonotonicInstant(nanoseconds: 1_200_300), source: "first", caseNumber: caseNumber,
                payload: payload))
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test("are stable byte for byte", arguments: EventSamples.all)
    func line(sample: EventSamples.Sample) throws {
        let rest = sample.keys.isEmpty ? "" : "," + sample.keys
        let head = #"{"t":1200300,"source":"first","kind":"\#(sample.kind)""#
        #expect(line(sample.payload, caseNumber: 0) == head + rest + "}\n")
        #expect(line(sample.payload, caseNumber: 7) == head + #","case":7"# + rest + "}\n")
        _ = try JSONSerialization.jsonObject(with: Data(line(sample.payload, caseNumber: 7).utf8))
    }

    @Test("exist for every kind, with unique names and one-line texts")
    func kinds() {
        let kinds = EventKinds.all.map { $0.kind }
        #expect(Set(kinds).count == kinds.count)
        #expect(Set(EventSamples.all.map(\.kind)) == Set(kinds))
        for sample in EventSamples.all {
            #expect(!sample.payload.text.isEmpty && !sample.payload.text.contains(where: \.isNewline), "\(sample.kind)")
        }
    }

    @Test("say where a crash happened")
    func places() {
        func text(_ task: String?, _ core: Int?, interrupt: Bool = false) -> String {
            CrashPlace(task: task, core: core, isInInterrupt: interrupt).text
        }
        #expect(text("loopTask", 1) == " (task loopTask, core 1)")
        #expect(text("IDLE1", 1, interrupt: true) == " (in an interrupt on core 1, while task IDLE1 ran)")
        #expect(text(nil, 0, interrupt: true) == " (in an interrupt on core 0)")
        #expect(text(nil, nil) == "")
    }

    @Test("are documented for every kind and key")
    func documented() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/Bench/TIMELINE.md").standardized
        // The table of kinds has three columns, that of common keys two.
        let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("| `") && $0.count { $0 == "|" } == 4 }
        for sample in EventSamples.all {
            let row = try #require(rows.first { $0.hasPrefix("| `\(sample.kind)` |") }, "\(sample.kind)")
            let object = try JSONSerialization.jsonObject(with: Data("{\(sample.keys)}".utf8))
            let keys = try #require(object as? [String: Any]).keys
            let cells = row.split(separator: "|", omittingEmptySubsequences: false)
            let documented = cells[2].split(separator: ",").map { $0.filter { $0 != " " && $0 != "`" } }
            #expect(Set(keys).isSubset(of: documented), "\(sample.kind)")
        }
    }

    @Test("show attributes by name, otherwise by handle")
    func attributes() {
        func text(_ handle: UInt16?, _ name: String?) -> String {
            ValueRead(EventAttribute(handle: handle, name: name), value: [1]).text
        }
        #expect(text(18, "output") == "read output 01")
        #expect(text(18, nil) == "read 0x0012 01")
        #expect(text(nil, nil) == "read ? 01")
    }
}
