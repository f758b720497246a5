import Bench
import BenchModel
import BenchTesting
import BLECore
import Testing

/// The parameters of a link, and the order of a value and a write's response.
@Suite(.bench(sketch: "Tests/Board/Sketches/LinkParameters")) struct LinkParameterTests {
    private let service = BLEUUID(literal: "1234")
    private let echo = BLEUUID(literal: "5678")

    @Test func aSketchChangesTheParameters() async throws {
        try await withBench { bench in
            let link = try await bench.central().connect(advertising: service)
            try await bench.advance(by: .seconds(2))
            let expected = LinkParameters(
                interval: .milliseconds(30), latency: 1, supervisionTimeout: .seconds(4), sendPHY: .le1M,
                receivePHY: .le1M)
            #expect(try await link.parameters() == expected)
        }
    }

    /// The order after a write whose end no response tells, and on a new link.
    @Test(arguments: [false, true]) func anOrderNeedsAResponse(_ isNewLink: Bool) async throws {
        let (service, echo) = (service, echo)
        let run = { @Sendable () async throws in
            try await withBench { bench in
                let central = try await bench.central()
                var link = try await central.connect(advertising: service)
                try await link.subscribe(to: echo)
                try await link.write([2], to: echo)
                try await link.expectNotification(of: echo)
                if isNewLink {
                    try await link.disconnect()
                    try await bench.advance(by: .seconds(1))
                    link = try await central.connect(advertising: service)
                    try await link.subscribe(to: echo)
                }
                try await link.write([2], to: echo, hasResponse: false)
                try await link.expectNotification(of: echo, order: .after)
            }
        }
        let failure = try await #require(#expect(throws: TestFailure.self) { try await run() })
        #expect(failure.failure.got.hasPrefix("no write with a response came before"), "\(failure.failure)")
    }

    /// The value written, and the place of its notification.
    @Test(arguments: [1, 2] as [UInt8], ResponseOrder.allCases) func aValueHasAnOrder(
        _ value: UInt8, _ order: ResponseOrder
    ) async throws {
        let run = { @Sendable () async throws in
            try await withBench { bench in
                let link = try await bench.central().connect(advertising: service)
                try await link.subscribe(to: echo)
                try await link.write([value], to: echo)
                try await link.expectNotification(of: echo, order: order)
            }
        }
        // The built-in host sends both after the response, as the library does.
        guard order == .before else { return try await run() }
        let failure = try await #require(#expect(throws: TestFailure.self) { try await run() })
        #expect(failure.failure.got.hasPrefix("the value came after the response"), "\(failure.failure)")
    }
}
