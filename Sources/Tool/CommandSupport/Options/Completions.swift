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
        return unique(names.map(\.name)) + folders(beginning).compactMap(offer)
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
            for name in ["--project", "--firmware"] {
                if word == name, index + 1 < words.count { arguments = [word, words[index + 1]] }
                if word.hasPrefix(name + "=") { arguments = [word] }
            }
        }
        return (try? ProjectOptions.parse(arguments)).flatMap { try? Project($0, .process) }
    }

    /// The distinct `names` in alphabetical order, as the shell expects them.
    package static func unique(_ names: [String]) -> [String] { Set(names).sorted().compactMap(offer) }

    /// `name` as the shell that asks expects it; `nil` if it contains line feeds or other control characters.
    ///
    /// bash's `compgen -W` expands the words that it is given, commands in them included, and bash inserts the result as
    /// it is: both levels are quoted. zsh's `_describe` takes a colon for the end of the word.
    private static func offer(_ name: String) -> String? {
        guard name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else { return nil }
        switch CompletionShell.requesting {
        case .bash: return quoted(quoted(name))
        case .zsh: return name.replacing(":", with: "\\:")
        default: return name
        }
    }

    private static func quoted(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            let isPlain =
                !character.isASCII || character.isLetter || character.isNumber || "_-./:%+@,=".contains(character)
            if !isPlain { result.append("\\") }
            result.append(character)
        }
    }

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
