internal import PrivateFile
internal import SerialPort

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Small files and links of sysfs and procfs.
enum SystemFiles {
    /// The longest text of a file of sysfs: a page.
    private static let textLimit = 4096

    /// The names in a folder, unsorted, without those that begin with a dot; empty where it cannot be read.
    static func names(in folder: String) -> [String] {
        (FolderEntry.all(in: folder) ?? []).map(\.name).filter { !$0.hasPrefix(".") }
    }

    /// The first line of a file, made printable by ``DeviceText``: a USB device chooses its own names. `nil` if the
    /// line is empty or cannot be read.
    static func text(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: textLimit)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return DeviceText.printable(String(decoding: bytes[..<count], as: UTF8.self))
    }

    /// True if a file or folder exists at `path`.
    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// The path without symbolic links; `nil` where it does not exist.
    static func resolve(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The target of a symbolic link; `nil` where it cannot be read.
    static func link(_ path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: textLimit)
        let count = readlink(path, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The name of the device file at `path`, which may be one of udev's links (`/dev/serial/by-id/…`).
    ///
    /// Without realpath(3): umockdev's imitation of it corrupts memory for device files.
    static func deviceName(_ path: String) -> String { lastPart(link(path) ?? path) }

    /// The text after the last slash.
    static func lastPart(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// The text before the last slash.
    static func parent(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }
}
