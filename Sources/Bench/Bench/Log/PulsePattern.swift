import BenchModel
import MonotonicTime
import SourceText

/// Expected pulses on a pin that the firmware drives.
public struct PulsePattern: Hashable, Sendable, CustomStringConvertible {
    /// The GPIO number.
    public var pin: Int
    /// The level of a pulse.
    public var isHigh: Bool
    /// Their number.
    public var count: ClosedRange<Double>
    /// The length of each in microseconds; `nil`: any.
    public var width: ClosedRange<Double>?

    /// Pulses.
    public init(pin: Int, isHigh: Bool = true, count: ClosedRange<Double>, width: ClosedRange<Double>? = nil) {
        self.pin = pin
        self.isHigh = isHigh
        self.count = count
        self.width = width
    }

    /// The text for failures.
    public var description: String {
        let (low, high) = (count.lowerBound.rounded(.up), count.upperBound.rounded(.down))
        let number = low == high ? low.decimal : "\(low.decimal) to \(high.decimal)"
        let width = width.map { " of \(Self.time($0.lowerBound)) to \(Self.time($0.upperBound))" } ?? ""
        return "\(number) \(isHigh ? "high" : "low") pulse\(number == "1" ? "" : "s")\(width) on pin \(pin)"
    }

    private static func time(_ microseconds: Double) -> String {
        Duration.nanoseconds(Int64((min(max(microseconds, 0), 1e12) * 1000).rounded())).brief
    }

    /// The fault of these pulses; `nil`: they are the expected ones.
    func fault(of pulses: MeasuredPulses) -> String? {
        let number = "\(pulses.widths.count) pulse\(pulses.widths.count == 1 ? "" : "s")"
        if pulses.isCut { return "more than \(number): the first were not kept" }
        guard count.contains(Double(pulses.widths.count)) else {
            let lengths = pulses.widths.prefix(4).map(\.brief).joined(separator: ", ")
            return number + (lengths.isEmpty ? "" : ": \(lengths)\(pulses.widths.count > 4 ? ", …" : "")")
                + (pulses.isOpen ? ", and one that has not ended" : "")
        }
        if pulses.isOpen { return "\(number), and one that has not ended" }
        guard let width else { return nil }
        let wrong = pulses.widths.firstIndex { !width.contains(Double($0.wholeNanoseconds) / 1000) }
        return wrong.map { "pulse \($0 + 1) of \(pulses.widths.count) is \(pulses.widths[$0].brief) long" }
    }
}

/// The pulses on a pin since the last action on the bench.
struct MeasuredPulses {
    /// The lengths of those that have ended.
    var widths: [Duration] = []
    /// True if one more has begun.
    var isOpen = false
    /// True if there were more changes of the pin than are kept.
    var isCut = false
}

extension BenchSession {
    /// Waits for a time, and compares the pulses on a pin since the last action on the bench.
    public func expectPulses(
        _ pattern: PulsePattern, within time: Duration, of board: BoardID = .first
    ) async throws(BenchFailure) {
        let expected = "\(pattern)\(boards[board.index].ofBoard) within \(time.brief)"
        guard bench.abilities.contains(.outputPins) else {
            throw BenchFailure(
                .benchFault, expected: expected, got: UnsupportedByBench(.outputPins).description)
        }
        await advance(by: time)
        if let crash { throw BenchFailure(crash.cause, expected: expected, got: crash.got) }
        let got: String?
        switch log.states.takePulses(of: pattern.pin, isHigh: pattern.isHigh, board: board.index) {
        case .success(let pulses): got = pattern.fault(of: pulses)
        case .failure(let reason): got = reason.text
        }
        if let got { throw BenchFailure(.assertion, expected: expected, got: got) }
    }
}
