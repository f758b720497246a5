import ArgumentParser
import BenchModel

/// When output is coloured.
package enum ColourChoice: String, ExpressibleByArgument, CaseIterable {
    case auto
    case always
    case never
}

/// Selects a build in which the sketch checks itself.
package struct SanitizeOption: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Build the sketch, its libraries and the host core with AddressSanitizer and UndefinedBehaviorSanitizer: what they find is a crash with file and line. On the virtual board only."
        ))
    package var sanitize = false

    /// The option for a command that repeats the run.
    package var repeated: [String] { sanitize ? ["--sanitize"] : [] }

    package init() {}
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
