public import Foundation

/// The results of a run as `espbench test --json` printed them: what a comparison needs of them.
public struct RunReport: Sendable, Decodable {
    /// What the run was on.
    public struct Run: Sendable, Decodable {
        /// The bench's name.
        public var bench: String
        /// What a bench on hardware is made of.
        public var hardware: Hardware?
    }

    /// What a bench on hardware is made of.
    public struct Hardware: Sendable, Decodable {
        /// The address of the board's port.
        public var board: String
        /// The address of the centrals' stack.
        public var central: String
        /// By what factor things may take longer than suites say.
        public var timeFactor: Double
        /// How often a failed instance was run again at most.
        public var retries: Int
    }

    /// A suite.
    public struct Suite: Sendable, Decodable {
        /// Its name.
        public var name: String
        /// Its cases.
        public var cases: [Case]
    }

    /// A case with its instances.
    public struct Case: Sendable, Decodable {
        /// Its name, with its places.
        public var name: String
        /// Its line in the suite's file.
        public var line: Int
        /// How many instances passed.
        public var passed: Int
        /// How many failed.
        public var failed: Int
        /// How many were not run.
        public var skipped: Int
        /// How many passed only when they were run again.
        public var retried: Int?
        /// Why instances were not run.
        public var skipReason: String?
        /// How many instances there were to draw a sample from.
        public var sampledFrom: Int?
        /// The failed instances.
        public var failures: [Failure]
    }

    /// A failed instance.
    public struct Failure: Sendable, Decodable {
        /// Its name.
        public var name: String
        /// The name of its cause.
        public var cause: String
        /// What its step expected.
        public var expected: String
        /// What came.
        public var got: String
    }

    /// The version of the format.
    public var version: Int
    /// The seed of the run.
    public var seed: String
    /// What the run was on.
    public var run: Run
    /// The name of its exit code.
    public var outcome: String
    /// The suites that were run.
    public var suites: [Suite]

    private static let knownVersion = 1

    /// Reads the object.
    ///
    /// - Throws: ``RunReportError`` when the bytes are something else.
    public init(json: Data) throws(RunReportError) {
        do {
            self = try JSONDecoder().decode(RunReport.self, from: json)
        } catch DecodingError.keyNotFound(let key, let context) {
            let path = (context.codingPath + [key]).map(\.stringValue).joined(separator: ".")
            throw RunReportError("no key '\(path)'")
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            throw RunReportError(path.isEmpty ? "JSON that is no object" : "'\(path)' of another type")
        } catch {
            throw RunReportError(json.isEmpty ? "no bytes" : "bytes that are no JSON object")
        }
        guard version == Self.knownVersion else { throw RunReportError("version \(version)") }
    }
}

/// Bytes that are not the results of a run.
public struct RunReportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What came instead.
    public let got: String

    init(_ got: String) { self.got = got }

    /// One line.
    public var description: String { "expected the JSON object of 'espbench test --json', got \(got)" }
}
