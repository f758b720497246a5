import ESPImage
import FirmwareBuild

/// The files of a command line: `ADDRESS=FILE`, `ADDRESS FILE` as esptool has them, the same with a partition's name, or
/// a file that says its address.
struct FlashArguments {
    /// The files, in order.
    private(set) var files: [(path: String, address: UInt32?, partition: String?)] = []
    /// The sketch or project; `nil` when there are files, or nothing.
    private(set) var project: String?

    /// - Throws: ``CommandFailure`` with exit code `usage`.
    init(_ words: [String], allowsProject: Bool = true) throws(CommandFailure) {
        var rest = words[...]
        while let word = rest.popFirst() {
            if let equals = word.firstIndex(of: "="), let address = FlashAddress(String(word[..<equals])) {
                files.append((String(word[word.index(after: equals)...]), address.value, nil))
            } else if let named = Self.named(word) {
                files.append((named.path, nil, named.partition))
            } else if let path = rest.first, Self.isName(word), FileTree.isFile(path), Self.isImage(path) {
                files.append((path, nil, word))
                rest.removeFirst()
            } else if let equals = word.firstIndex(of: "="), !FileTree.isFile(word) {
                let (place, path) = (String(word[..<equals]), word[word.index(after: equals)...])
                // A partition's name, and no such file.
                if Self.isName(place), !path.isEmpty { _ = try InputFile.read(String(path)) }
                throw CommandFailure(
                    .usage,
                    "expected an address or a partition, a = and a file, such as 0x10000=app.bin or nvs=nvs.bin, got '\(place)=…'",
                    code: "usage.address")
            } else if FlashAddress.isNumber(word), FlashAddress(word) == nil, !FileTree.isFile(word) {
                throw CommandFailure(.usage, "expected an address, got '\(word)'", code: "usage.address")
            } else if let address = FlashAddress(word), !FileTree.isFile(word) {
                guard let path = rest.popFirst() else {
                    throw CommandFailure(.usage, "expected a file behind the address \(word)", code: "usage.noFile")
                }
                files.append((path, address.value, nil))
            } else if Self.isImage(word) || !allowsProject {
                files.append((word, nil, nil))
            } else if let project {
                throw CommandFailure(
                    .usage, "expected one sketch, or files, got '\(project)' and '\(word)'", code: "usage.files")
            } else {
                project = word
            }
        }
        if let project, let file = files.first {
            throw CommandFailure(
                .usage, "expected a sketch or files, got the sketch '\(project)' and the file '\(file.path)'",
                code: "usage.files")
        }
    }

    /// The parts of `NAME=FILE`, if there is such a file.
    private static func named(_ word: String) -> (partition: String, path: String)? {
        guard let equals = word.firstIndex(of: "="), !FileTree.isFile(word) else { return nil }
        let (name, path) = (String(word[..<equals]), String(word[word.index(after: equals)...]))
        return isName(name) && FileTree.isFile(path) ? (name, path) : nil
    }

    /// Whether `word` may be a partition's name: no number, no path and no file.
    private static func isName(_ word: String) -> Bool {
        !word.isEmpty && !FlashAddress.isNumber(word) && !word.contains { "./=".contains($0) } && !FileTree.isFile(word)
    }

    /// Whether `word` is a file, and none of a sketch or of a build of ESP-IDF.
    private static func isImage(_ word: String) -> Bool {
        let isSource = [".ino", ".pde", ".json", ".ini", ".cpp", ".c"].contains { word.lowercased().hasSuffix($0) }
        if FileTree.isFile(word) { return !isSource }
        return [".bin", ".elf", ".csv", ".hex", ".ihex", ".ihx"].contains { word.lowercased().hasSuffix($0) }
    }

    /// The files' contents; with `isRaw`, as they are.
    ///
    /// - Throws: ``CommandFailure`` with exit code `badInput` or `usage`.
    func inputs(isRaw: Bool) throws(CommandFailure) -> [FlashInput] {
        var result: [FlashInput] = []
        for file in files {
            result.append(try FlashInput(file.path, at: file.address, in: file.partition, isRaw: isRaw))
        }
        return result
    }
}
