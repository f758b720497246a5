#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The locations of the process in the file system.
enum ProcessFiles {
    /// The working folder: `logical`, the shell's name for it, if that is valid, otherwise the real name (POSIX `pwd
    /// -L`); `nil` when the folder no longer exists.
    static func workingFolder(_ logical: String?) -> String? {
        guard let current = getcwd(nil, 0) else { return nil }
        defer { free(current) }
        if let logical, logical.hasPrefix("/"), let real = realPath(logical), real == realPath(".") { return logical }
        return String(cString: current)
    }

    /// The path of the program's executable, without symbolic links; empty when the system does not report it.
    static var executable: String {
        #if canImport(Darwin)
            var length: UInt32 = 0
            _NSGetExecutablePath(nil, &length)
            let path = [CChar](unsafeUninitializedCapacity: Int(length)) { buffer, count in
                count = _NSGetExecutablePath(buffer.baseAddress, &length) == 0 ? Int(length) : 0
            }
            return realPath(String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
                ?? ""
        #else
            return realPath("/proc/self/exe") ?? ""
        #endif
    }

    private static func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
