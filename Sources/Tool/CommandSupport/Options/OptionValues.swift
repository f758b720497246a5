import ArgumentParser
import BenchModel

/// Numbers of options.
package enum NumberOption {
    /// Reads a number in `range`; the error message for any other text states the range.
    package static func within<Number: FixedWidthInteger & Sendable>(
        _ range: ClosedRange<Number>
    ) -> @Sendable (String) throws -> Number {
        { text in
            guard let number = Number(text), range.contains(number) else {
                throw ValidationError("expected a number of \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }
    }

    /// Reads a TCP port; 0: any.
    package static let port = within(UInt16.min...UInt16.max)

    /// Reads a seed.
    package static let seed = within(UInt64.min...UInt64.max)
}

/// Times on the command line.
package enum TimeOption {
    /// Reads a time with its unit.
    ///
    /// - Throws: `ValidationError`.
    package static func duration(_ text: String) throws -> Duration {
        guard let duration = Duration(text: text) else {
            throw ValidationError("Expected a time with a unit (us, ms, s or min) such as 10s, got '\(text)'.")
        }
        return duration
    }
}
