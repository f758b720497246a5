/// The files of expected pictures: of all suites of a run, and safe from any thread.
public protocol PictureFiles: Sendable {
    /// True if a picture that is missing or not shown is replaced by the shown one, and the step passes.
    var isUpdating: Bool { get }

    /// The content of a file; `nil`: there is none.
    ///
    /// - Parameter path: relative to the folder of the file `suite`.
    /// - Throws: an error whose description is the reason.
    func read(_ path: String, beside suite: String) throws -> [UInt8]?

    /// Replaces a file, or creates it; called only if ``isUpdating``.
    ///
    /// - Throws: an error whose description is the reason; also when the run has written another picture to the file.
    func update(_ path: String, beside suite: String, to picture: [UInt8]) throws

    /// Keeps the pictures of a failure, each in a file `name.kind.png`; returns the paths.
    ///
    /// - Parameter name: without folders.
    /// - Throws: an error whose description is the reason.
    func keep(_ pictures: [(kind: String, file: [UInt8])], of name: String) throws -> [String]
}
