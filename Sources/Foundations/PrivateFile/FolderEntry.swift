#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An entry of a folder.
package struct FolderEntry: Sendable, Hashable {
    package let name: String
    /// `DT_REG`, `DT_DIR` and others; `DT_UNKNOWN` where the file system does not report it.
    package let type: Int32

    /// The entries of a folder, unsorted, without `.` and `..`; `nil` if it cannot be read: `errno` has the reason.
    package static func all(in folder: String) -> [FolderEntry]? {
        guard let stream = opendir(folder) else { return nil }
        defer { closedir(stream) }
        var entries: [FolderEntry] = []
        while let entry = readdir(stream) {
            // In place (`&`): a copy of the 256 bytes of `d_name` may read beyond the buffer that the entry is in.
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            guard name != ".", name != ".." else { continue }
            entries.append(FolderEntry(name: name, type: Int32(entry.pointee.d_type)))
        }
        return entries
    }
}
