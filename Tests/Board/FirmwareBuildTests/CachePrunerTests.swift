import FirmwareBuild
import Foundation
import Testing

@Suite struct CachePrunerTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "espbench-cache-\(UUID().uuidString)")

    /// A file of `size` bytes, in a folder that was used `age` seconds ago.
    private func entry(_ path: String, size: Int, age: Double) throws {
        let url = folder.appending(path: path)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try Data(count: size).write(to: url.appending(path: "object.o"))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: url.path)
    }

    private var left: [String] {
        ["", "objects", "programs", "sketches"].flatMap { parent in
            ((try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: parent).path)) ?? []).map {
                parent.isEmpty ? $0 : "\(parent)/\($0)"
            }
        }.filter { !["objects", "programs", "sketches", "lock"].contains($0) }.sorted()
    }

    @Test func whatIsOldAndThenWhatWasUsedLeastRecentlyGoes() throws {
        try entry("core-1", size: 600, age: 20_000)
        try entry("objects/new", size: 300, age: 7200)
        try entry("objects/old", size: 300, age: 9000)
        try entry("programs/inUse", size: 5000, age: 60)
        try entry("programs/month", size: 1, age: 31 * 86_400)
        try Data().write(to: folder.appending(path: "lock"))
        CachePruner(cache: folder.path, largestSize: 1_000_000).prune()
        #expect(left == ["core-1", "objects/new", "objects/old", "programs/inUse"])
        CachePruner(cache: folder.path, largestSize: 5400).prune()
        #expect(left == ["objects/new", "programs/inUse"])
        CachePruner(cache: folder.path, largestSize: 0).prune()
        #expect(left == ["programs/inUse"])
        try FileManager.default.removeItem(at: folder)
    }
}
