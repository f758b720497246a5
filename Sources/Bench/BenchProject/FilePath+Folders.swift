import SystemPackage

extension FilePath {
    /// The path, the folder that it is in, and so on up to the root.
    var andAbove: [FilePath] {
        var paths = [self]
        while let path = paths.last, !path.components.isEmpty { paths.append(path.removingLastComponent()) }
        return paths
    }

    /// The path as messages show it: relative to `folder` inside of it and of the three folders above it, otherwise
    /// absolute.
    func shown(in folder: FilePath) -> String {
        guard self != folder else { return "." }
        for (steps, ancestor) in folder.andAbove.prefix(4).enumerated() where !ancestor.components.isEmpty {
            guard starts(with: ancestor), let rest = removingPrefix(ancestor) else { continue }
            return String(repeating: "../", count: steps) + rest.string
        }
        return string
    }

    private func removingPrefix(_ folder: FilePath) -> FilePath? {
        var path = self
        return path.removePrefix(folder) ? path : nil
    }
}
