import BenchExecutor
import BenchTesting
import Testing

private func withoutAir() throws -> BenchRegistry {
    var registry = BenchRegistry()
    let virtual = try BenchRegistry.ofThisMachine().kind("virtual")
    registry.add(
        BenchKind(name: "virtual", pace: .virtual) { seed, executor in
            let bench = try await virtual.make(seed, executor)
            return Bench(name: "without air", executor: executor, board: bench.board, centrals: bench.centrals)
        })
    return registry
}

/// Kinds of bench that a test defines itself, whose boards cannot be flashed in advance.
@Suite(.bench(sketch: "Firmware/Calculator", benches: withoutAir)) struct OwnKindTests {
    @Test(arguments: 0..<3) func eachBenchIsFlashedSeparately(seed: UInt64) async throws {
        try await withBench(seed: seed) { bench in
            #expect(bench.session.bench.name == "without air")
            #expect(!bench.abilities.contains(.airControl))
            _ = try await bench.central().connect(name: "Test Peripheral")
        }
    }
}
