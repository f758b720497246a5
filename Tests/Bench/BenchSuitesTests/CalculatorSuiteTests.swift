import BenchSuites
import Foundation
import Testing

@Suite("The calculator's suite")
struct CalculatorSuiteTests {
    @Test("is valid, and its last three cases cover all 196,608 requests")
    func exhaustive() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
        let file = root.appending(path: "Firmware/Calculator/Suites/calculator.yaml")
        let suite = try Suite(yaml: String(contentsOf: file, encoding: .utf8), file: file.path)
        let exhaustive = suite.cases.suffix(3)
        #expect(exhaustive.map(\.matrix.count).reduce(0, +) == 196_608)

        var requests: Set<[UInt8]> = []
        for suiteCase in exhaustive {
            let write = try #require(suiteCase.steps[0].action(as: WriteStep.self))
            let expect = try #require(suiteCase.steps[1].action(as: ExpectStep.self))
            let answer = try #require(expect.expectation(as: ValueExpectation.self)?.value)
            var context = EvaluationContext()
            for index in 0..<suiteCase.matrix.count {
                suiteCase.matrix.fill(&context.parameters, at: index)
                var request: [UInt8] = []
                try write.value.evaluate(&context, into: &request)
                var response: [UInt8] = []
                try answer.evaluate(&context, into: &response)
                requests.insert(request)
                let results = [request[0] &+ request[1], request[0] &- request[1], request[0] &* request[1]]
                #expect(response == [results[Int(request[2])]])
            }
        }
        #expect(requests.count == 196_608)
    }
}
