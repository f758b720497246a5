public import SerialPort

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A symbolic link by which programs find a pseudo-terminal under a name that does not change.
public struct PortLink: Sendable {
    /// Where the link is.
    public let path: String
    private let target: String

    /// Creates the link, or replaces one to a device; another file is not touched.
    ///
    /// - Throws: ``SerialPortError``: ``SerialPortError/Code/linkTaken`` when `path` is a file that is no such link, otherwise `system`.
    public init(_ path: String, to target: String) throws(SerialPortError) {
        if let former = SystemFiles.link(path), former.hasPrefix("/dev/") { _ = unlink(path) }
        guard symlink(target, path) == 0 else {
            let number = errno
            guard number == EEXIST else {
                throw SerialPortError(
                    .system, port: path, "creating a link to \(target): \(String(cString: strerror(number)))")
            }
            throw SerialPortError(
                .linkTaken, port: path, "expected no file or a link to a device, found another file; it is kept")
        }
        self.path = path
        self.target = target
    }

    /// Removes the link, unless it has been replaced meanwhile.
    public func remove() {
        if SystemFiles.link(path) == target { _ = unlink(path) }
    }
}

extension SerialPortError.Code {
    /// Where a link to the port is to be there is another file.
    public static let linkTaken = SerialPortError.Code(rawValue: "linkTaken")
}
