import BenchSuites
import Foundation
import Testing

@Suite("The reference of suites")
struct ReferenceTests {
    @Test("documents every step as printed by espbench test --steps")
    func steps() throws {
        let file = URL(filePath: #filePath).appending(path: "../../../../Firmware/SUITES.md").standardized
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains(SuiteReference.steps))
        #expect(text.contains(SuiteReference.pairing))
        #expect(text.contains(SuiteReference.conditions))
    }
}
