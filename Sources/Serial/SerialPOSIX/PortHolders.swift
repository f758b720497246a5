#if os(Linux)
    /// The programs that have ttys open, as far as this user may read procfs.
    struct PortHolders {
        /// The folder of procfs.
        let processes: String

        /// The holder of each of `paths` that is open: `name (pid number)`. Other users' processes are not visible.
        func holders(of paths: Set<String>) -> [String: String] {
            guard !paths.isEmpty else { return [:] }
            var result: [String: String] = [:]
            for process in SystemFiles.names(in: processes) where process.allSatisfy({ $0.isASCII && $0.isNumber }) {
                let files = "\(processes)/\(process)/fd"
                for file in SystemFiles.names(in: files) {
                    guard let path = SystemFiles.link("\(files)/\(file)"), paths.contains(path) else { continue }
                    let name = SystemFiles.text("\(processes)/\(process)/comm") ?? "a program"
                    result[path] = "\(name) (pid \(process))"
                }
            }
            return result
        }
    }
#endif
