import ArgumentParser
import BenchModel

/// Times on the command line.
enum TimeOption {
    /// Reads a time with its unit.
    ///
    /// - Throws: `ValidationError`.
    static func duration(_ text: String) throws -> Duration {
        guard let duration = Duration(text: text) else {
            throw ValidationError("Expected a time with a unit (us, ms, s or min) such as 10s, got '\(text)'.")
        }
        return duration
    }
}
