import BoardParts
import MonotonicTime
import Testing

@Suite struct QuantityCourseTests {
    private func at(_ seconds: Double) -> MonotonicInstant { .zero.advanced(by: .seconds(seconds)) }

    @Test func aRampRunsEvenlyAndStaysAtItsEnd() {
        let ramp = QuantityCourse.ramp(from: 20, to: 35, start: at(10), over: .seconds(60))
        #expect([0, 10, 40, 70, 1000].map { ramp.value(at: at($0)) } == [20, 20, 27.5, 35, 35])
    }

    @Test func aRecordingIsInterpolated() {
        let points = [(0.0, 1.0), (10, 3), (20, -1)].map {
            QuantityCourse.Point(after: .seconds($0.0), value: $0.1)
        }
        let course = QuantityCourse.recording(points, start: at(5))
        #expect([0, 5, 10, 15, 20, 25, 99].map { course.value(at: at($0)) } == [1, 1, 2, 3, 1, -1, -1])
    }
}
