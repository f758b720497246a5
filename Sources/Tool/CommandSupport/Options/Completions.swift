import ArgumentParser
internal import BenchExecutor
import BenchProject
import Foundation
import SerialPort

/// Completions for names in the project or on this machine. If they cannot be read, no completion is offered; the
/// command itself reports the reason.
package enum Completions {
    /// The sketches of the project, and folders.
    package static let sketches = CompletionKind.custom { words, _, beginning in
        let names = project(of: words).flatMap { try? $0.finder.sketches(of: $0.finder.current()) } ?? []
        return unique(names.map(\.name)) + folders(beginning)
    }

    /// The ports of this machine on which a board may be.
    package static let ports = CompletionKind.custom { _, _, _ in
        let ports = try? BenchExecutor(pace: .real).run { try await Ports.kinds.ports() }
        return ["auto"] + PortCandidates.distinct(ports ?? []).map(\.address.text)
    }

    /// The project of a command line.
    package static func project(of words: [String]) -> Project? {
        var arguments: [String] = []
        for (index, word) in words.enumerated() {
            if word == "--project", index + 1 < words.count { arguments = [word, words[index + 1]] }
            if word.hasPrefix("--project=") { arguments = [word] }
        }
        return (try? ProjectOptions.parse(arguments)).flatMap { try? Project($0, .process) }
    }

    /// The distinct `names` in alphabetical order.
    package static func unique(_ names: [String]) -> [String] { Set(names).sorted() }

    /// The folders whose paths begin with `beginning`.
    private static func folders(_ beginning: String) -> [String] {
        let parent = beginning.lastIndex(of: "/").map { String(beginning[...$0]) } ?? ""
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.isEmpty ? "." : parent)) ?? []
        return names.filter { !$0.hasPrefix(".") }.sorted().map { parent + $0 }.filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
        }
    }
}

/// Numbers of options.
package enum NumberOption {
    /// Reads a number in `range`; the error message for any other text states the range.
    package static func within<Number: FixedWidthInteger & Sendable>(
        _ range: ClosedRange<Number>
    ) -> @Sendable (String) throws -> Number {
        { text in
            guard let number = Number(text), range.contains(number) else {
                let limits =
                    range.upperBound == .max && Number.bitWidth == Int.bitWidth && Number.isSigned
                    ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
                throw ValidationError("expected a number of \(limits)")
            }
            return number
        }
    }

    /// Reads a TCP port; 0: any.
    package static let port = within(UInt16.min...UInt16.max)

    /// Reads a seed.
    package static let seed = within(UInt64.min...UInt64.max)
}
