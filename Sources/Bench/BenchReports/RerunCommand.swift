public import BenchModel

/// The commands that run failed cases again, as typed into a POSIX shell.
public struct RerunCommand: Sendable, Hashable {
    private let program: String
    private let options: [String]
    let seed: UInt64
    private let remembersFailures: Bool

    /// Commands for a run with this seed.
    ///
    /// - Parameters:
    ///   - program: the program as it was called.
    ///   - options: the options of the run that decide what happens, e.g. `--project`, `lamp`.
    ///   - remembersFailures: whether `--last-failed` runs all that failed.
    public init(
        program: String = "espbench", options: [String] = [], seed: UInt64, remembersFailures: Bool = false
    ) {
        self.remembersFailures = remembersFailures
        self.program = program
        self.options = options
        self.seed = seed
    }

    /// The command for `failure` of the suite in `file`, which is relative to the working folder or absolute.
    public func text(_ failure: InstanceFailure, file: String) -> String {
        words(case: failure.name, file: file).joined(separator: " ")
    }

    /// The words of the command that runs everything that failed, quoted; `nil` when there is none.
    var wordsForAll: [String]? {
        remembersFailures ? ([program, "test", "--last-failed"] + options).map(Self.quoted) : nil
    }

    /// The words of the command for the case or instance of this name, quoted.
    func words(case name: String, file: String) -> [String] {
        // A file that begins with a hyphen would be an option.
        let file = file.hasPrefix("-") ? "./" + file : file
        let selection = name.hasPrefix("-") ? ["--case=" + name] : ["--case", name]
        return ([program, "test", file] + options + ["--seed", "\(seed)"] + selection).map(Self.quoted)
    }

    /// `word` as one word of a POSIX shell.
    static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-_./:@%+=,".utf8.contains(byte)
            }
        }
        guard !isPlain || word.isEmpty else { return word }
        // Scalar by scalar: a quote with an accent on it is another character, but ends the word all the same.
        let scalars = word.unicodeScalars.reduce(into: String.UnicodeScalarView()) { scalars, scalar in
            scalars += (scalar == "'" ? "'\\''" : String(scalar)).unicodeScalars
        }
        return "'" + String(scalars) + "'"
    }
}
