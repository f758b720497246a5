import Foundation

/// Files of one test.
struct EsptoolFiles {
    let folder = FileManager.default.temporaryDirectory.appending(path: "espbench-\(UUID().uuidString)")

    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: name)
        try Data(bytes).write(to: file)
        return file.path
    }

    func remove() {
        try? FileManager.default.removeItem(at: folder)
    }
}
