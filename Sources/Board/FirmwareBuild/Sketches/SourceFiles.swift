/// The files of sketches and libraries by their names' extensions, as arduino-cli sorts them.
enum SourceFiles {
    /// Files of the Arduino language.
    static let sketch: Set<String> = ["ino", "pde"]
    /// Files to compile.
    static let compiled: Set<String> = ["c", "cpp", "cxx", "cc", "S"]
    /// Files by which a library is found.
    static let headers: Set<String> = ["h", "hpp", "hh"]

    /// Whether it is compiled, or included by its name.
    static func isSource(_ path: String) -> Bool {
        sketch.union(compiled).union(headers).contains(path.fileExtension)
    }

    static func isCompiled(_ path: String) -> Bool { compiled.contains(path.fileExtension) }

    /// Everything else may be included: `.h`, `.ipp`, `.inl`, …
    static func isOther(_ path: String) -> Bool {
        !isCompiled(path) && !sketch.contains(path.fileExtension)
    }
}
