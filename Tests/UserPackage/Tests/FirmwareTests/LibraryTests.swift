import BenchTesting
import Testing

/// A sketch of this package, with a library that `espbench.yaml` names.
@Suite(.bench(sketch: "firmware/Greeter")) struct LibraryTests {
    @Test func usesALibraryOfTheProject() async throws {
        try await withBench { bench in
            try await bench.board.expectConsole("hello, bench")
        }
    }
}
