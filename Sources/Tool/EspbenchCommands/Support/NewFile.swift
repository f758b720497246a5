#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

import FirmwareBuild
import FoundationEssentials
internal import LogFiles

/// Files that a command creates for the user.
enum NewFile {
    /// Throws when the folder of the file at `path` does not exist: before work whose result would be lost.
    ///
    /// - Throws: ``CommandFailure``.
    static func checkFolder(of path: String) throws(CommandFailure) {
        guard path != "-", path.contains("/") else { return }
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        guard folder.isEmpty || FileTree.isFolder(folder) else {
            throw CommandFailure(
                .benchFault, "\(path) could not be created: there is no folder '\(folder)'", code: "file.notCreated")
        }
    }

    /// Creates the file at `path`, and its folder; `shown` is its name in messages.
    ///
    /// - Throws: ``CommandFailure`` when there is a file already, or it cannot be written; then there is no file.
    static func write(_ text: String, to path: String, shown: String) throws(CommandFailure) {
        do throws(FirmwareBuildError) {
            try FileTree.makeFolder(URL(filePath: path).deletingLastPathComponent().path)
        } catch {
            throw CommandFailure(.benchFault, error.detail)
        }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            throw CommandFailure(.benchFault, "\(shown) could not be created: \(SystemFault.last)")
        }
        var fault = SystemFault.writing(Array(text.utf8), to: descriptor)?.fault
        // Some file systems report only now that there was no space.
        if close(descriptor) != 0, fault == nil { fault = .last }
        if let fault {
            unlink(path)
            throw CommandFailure(.benchFault, "\(shown) could not be written: \(fault)")
        }
    }
}
