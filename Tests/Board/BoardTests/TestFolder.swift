import Foundation

/// A temporary folder, removed with its last reference.
final class TestFolder: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(
            path: "espbench-board-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}

/// Paths of the repository.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized.path
    static let sketches = root + "/Tests/Board/Sketches"
    static let firmware = root + "/Firmware"
    static let traces = root + "/Tests/Bluetooth/Traces"
}
