/// The file of a report that is written while the run goes on.
public protocol ReportSink: Sendable {
    /// Adds bytes at the end.
    func append(_ bytes: [UInt8])

    /// Replaces as many bytes from `offset` on, all of which have been added before.
    func replace(_ bytes: [UInt8], at offset: Int)
}
