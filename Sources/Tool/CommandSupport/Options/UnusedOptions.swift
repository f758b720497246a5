import ArgumentParser

/// Options without effect in the mode of a command that its other options select: giving one is an error, because it
/// would be ignored in silence.
package struct UnusedOptions: Hashable, Sendable {
    /// The options, with their dashes.
    package let names: [String]
    /// The reason, after "has no effect: ".
    package let reason: String

    package init(_ names: [String], _ reason: String) {
        self.names = names
        self.reason = reason
    }

    /// The options that tell a command where sketches and libraries are, and how to build them.
    package static func building(_ reason: String) -> UnusedOptions {
        UnusedOptions(["--project", "--firmware", "--nimble", "--sanitize"], reason)
    }

    /// Throws if `arguments`, the command line of `command`, contain an option without effect.
    ///
    /// - Throws: `ValidationError`.
    package static func check(_ command: any ParsableCommand, given arguments: [String]) throws {
        guard let command = command as? any ModalCommand else { return }
        let given = Set(arguments.prefix { $0 != "--" }.map { String($0.prefix { $0 != "=" }) })
        for unused in command.unusedOptions {
            guard let name = unused.names.first(where: given.contains) else { continue }
            throw ValidationError("\(name) has no effect here: \(unused.reason).")
        }
    }
}

/// A command with modes in which some of its options have no effect.
package protocol ModalCommand: ParsableCommand {
    /// The options without effect in the selected mode.
    var unusedOptions: [UnusedOptions] { get }
}
