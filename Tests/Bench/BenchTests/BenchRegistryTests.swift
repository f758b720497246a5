import Bench
import BenchExecutor
import Testing

@Suite("The registry of benches")
struct BenchRegistryTests {
    private struct Unused: Error {}

    private func kind(_ name: String, _ pace: BenchExecutor.Pace = .virtual) -> BenchKind {
        BenchKind(name: name, pace: pace) { _, _ in throw Unused() }
    }

    @Test("finds kinds by name, the newest of equal names, and lists the known names")
    func names() throws {
        var registry = BenchRegistry()
        let none = #expect(throws: UnknownBench.self) { try registry.kind("virtual") }
        #expect(none?.description == "no bench 'virtual': this build of espbench has none")
        registry.add(kind("virtual"))
        registry.add(kind("hardware"))
        registry.add(kind("virtual", .real))
        #expect(registry.names == ["hardware", "virtual"])
        #expect(try registry.kind("virtual").pace == .real)
        let error = #expect(throws: UnknownBench.self) { try registry.kind("x") }
        #expect(error?.description == "no bench 'x', expected one of: hardware, virtual")
    }
}
