import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file that a command writes what happened into.
enum OutputFile {
    /// Creates the file at `path`, or empties it. A new one only this user may read: HCI packets hold the keys of
    /// bonds, and consoles passkeys. `subject` names the file in errors.
    static func create(_ path: String, _ subject: String) throws(CommandFailure) -> FileHandle {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandFailure(
                .benchFault, "the \(subject) \(path) could not be made: \(String(cString: strerror(errno)))")
        }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}
