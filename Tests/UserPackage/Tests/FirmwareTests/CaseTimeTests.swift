import BenchTesting
import Testing

/// The duration of a test: a fresh bench, boot, connect, write, expect. `Scripts/test-package` prints the attached
/// figure.
@Suite(.bench(sketch: "Firmware/Calculator")) struct CaseTimeTests {
    let service = BLEUUID(literal: "EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079")
    let input = BLEUUID(literal: "C1AB2C55-7914-4140-B85B-879C5E252FE5")
    let output = BLEUUID(literal: "643954A4-A6CC-455C-825C-499190CE7DB0")

    @Test func fiftyFreshBenches() async throws {
        let clock = ContinuousClock()
        var times: [Duration] = []
        for seed in 0..<50 {
            let time = try await clock.measure {
                try await withBench(seed: UInt64(seed)) { bench in
                    let link = try await bench.central().connect(advertising: service)
                    try await link.subscribe(to: output)
                    try await link.write([9, 6, 2], to: input)
                    try await link.expectNotification(of: output, [0x36])
                }
            }
            times.append(time)
        }
        // The median, since other tests run concurrently, and the first bench may wait for the build of its sketch.
        let median = times.sorted()[times.count / 2]
        Attachment.record("\(median.brief)\n", named: "case-time.txt")
    }
}
