#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where the process is in the file system.
enum ProcessFiles {
    /// The working folder by the name `logical`, that of the shell, if it is one of its names, otherwise by its real
    /// name (POSIX `pwd -L`); `nil` when it does not exist any more.
    static func workingFolder(_ logical: String?) -> String? {
        guard let current = getcwd(nil, 0) else { return nil }
        defer { free(current) }
        if let logical, logical.hasPrefix("/"), let real = realPath(logical), real == realPath(".") { return logical }
        return String(cString: current)
    }

    /// The program's file, without symbolic links; empty when the system does not report it.
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
