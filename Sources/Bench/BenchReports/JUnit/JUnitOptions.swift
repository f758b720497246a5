/// What a JUnit report is made with.
public struct JUnitOptions: Sendable {
    /// Whether every instance of a case is a test case of its own; otherwise one is all instances of a case.
    public var listsInstances: Bool
    /// The name of the machine.
    public var hostName: String
    /// A file that is attached to failed test cases, e.g. the timeline, as the reader of the report finds it.
    public var attachment: String?
    /// A suite's file as the reader of the report finds it, e.g. relative to the repository's root.
    public var sourcePath: @Sendable (String) -> String

    /// Options; by default files are named as the run names them.
    public init(
        listsInstances: Bool = false, hostName: String = "localhost", attachment: String? = nil,
        sourcePath: @escaping @Sendable (String) -> String = { $0 }
    ) {
        self.listsInstances = listsInstances
        self.hostName = hostName
        self.attachment = attachment
        self.sourcePath = sourcePath
    }
}
