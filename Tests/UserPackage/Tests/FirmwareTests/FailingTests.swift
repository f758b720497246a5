import BenchTesting
import Testing

/// `Scripts/test-package` expects this test, and no other, to fail: at the marked line, with the preceding events.
@Suite(.bench(sketch: "Firmware/Calculator")) struct FailingTests {
    @Test func mustFail() async throws {
        try await withBench { bench in
            let output = BLEUUID(literal: "643954A4-A6CC-455C-825C-499190CE7DB0")
            let input = BLEUUID(literal: "C1AB2C55-7914-4140-B85B-879C5E252FE5")
            let link = try await bench.central().connect(name: "Test Peripheral")
            try await link.subscribe(to: output)
            try await link.write([9, 6, 2], to: input)
            try await link.expectNotification(of: output, [0x37])  // must fail here
        }
    }
}
