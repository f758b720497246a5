#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An error of using a private file or folder.
public struct PrivateFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public enum Code: Hashable, Sendable {
        /// The operating system refused; its error number.
        case system(Int32)
        /// The file exceeds the size limit.
        case tooLong
        /// Another process, or another part of this one, holds the lock.
        case locked
        /// It is a folder, a pipe or a device.
        case notFile
        /// Other users own the folder or have rights to it.
        case notPrivate
    }

    /// The kind of error.
    public var code: Code
    /// The operation on the file, e.g. `reading`.
    public var action: String
    /// The file.
    public var path: String
    /// The cause of the failure.
    public var reason: String

    init(_ code: Code, action: String, path: String, reason: String) {
        self.code = code
        self.action = action
        self.path = path
        self.reason = reason
    }

    /// The error of the last system call.
    init(_ action: String, _ path: String) {
        let number = errno
        self.init(.system(number), action: action, path: path, reason: String(cString: strerror(number)))
    }

    /// One line.
    public var description: String { description("the file") }

    /// One line, which calls the file `noun`.
    public func description(_ noun: String) -> String { "\(path): \(action) \(noun) failed: \(reason)" }
}
