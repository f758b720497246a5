import ArgumentParser

/// Whether the sketch checks itself.
struct SanitizeOption: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Build the sketch, its libraries and the host core with AddressSanitizer and UndefinedBehaviorSanitizer: what they find is a crash with file and line. On the virtual board only."
        ))
    var sanitize = false

    /// The option as a command that does the same again has it.
    var repeated: [String] { sanitize ? ["--sanitize"] : [] }
}
