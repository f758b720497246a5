import FirmwareBuild

/// Files that a user names.
enum InputFile {
    /// The bytes of the file at `path`.
    ///
    /// - Throws: ``CommandFailure`` with exit code `badInput`.
    static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
        do throws(FirmwareBuildError) {
            return try FileTree.contents(of: path)
        } catch {
            throw CommandFailure(.badInput, error.detail, code: "file.unreadable")
        }
    }
}
