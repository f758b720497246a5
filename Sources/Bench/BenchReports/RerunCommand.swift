public import BenchModel

/// The command that runs one failed instance again.
public struct RerunCommand: Sendable, Hashable {
    private let seed: UInt64

    /// Commands for a run with this seed.
    public init(seed: UInt64) {
        self.seed = seed
    }

    /// The command for `failure` of the suite in `file`, as typed into a shell.
    public func text(_ failure: InstanceFailure, file: String) -> String {
        "espbench test \(Self.quoted(file)) --seed \(seed) --case \(Self.quoted(failure.name))"
    }

    /// `word` as one word of a POSIX shell.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-_./:@%+=,".utf8.contains(byte)
            }
        }
        return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
