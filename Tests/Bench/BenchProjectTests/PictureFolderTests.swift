import BenchProject
import Foundation
import Testing

/// The files of pictures: beside suites, and of failures.
@Suite("Files of pictures")
struct PictureFolderTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "espbench-folder-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path)
    }

    @Test("beside a suite are missing, written once, and read")
    func beside() throws {
        try withFolder { folder in
            let pictures = PictureFolder(isUpdating: true, failures: .folder(folder))
            let suite = folder + "/s.yaml"
            #expect(try pictures.read("in/a.png", beside: suite) == nil)
            try pictures.update("in/a.png", beside: suite, to: [1, 2])
            try pictures.update("in/a.png", beside: suite, to: [1, 2])
            #expect(try pictures.read("in/a.png", beside: suite) == [1, 2])
            let error = #expect(throws: FileFault.self) {
                try pictures.update("in/a.png", beside: suite, to: [3])
            }
            #expect(error?.description.contains("in/a.png has been written in this run, with another picture") == true)
            #expect(pictures.updated == [folder + "/in/a.png"])
            #expect(try PictureFolder(failures: .folder(folder)).read("in/a.png", beside: suite) == [1, 2])
            let renamed = PictureFolder(failures: .folder(folder), suite: suite)
            #expect(try renamed.read("in/a.png", beside: "other/s.yaml") == [1, 2])
            #expect(throws: (any Error).self) { try pictures.read("in", beside: suite) }
        }
    }

    @Test("of failures have names of their own, in the given folder or a new one")
    func failures() throws {
        try withFolder { folder in
            let beside = PictureFolder(failures: .folder(folder))
            #expect(
                try beside.keep([("got", [1]), ("diff", [2])], of: "x")
                    == ["x.got.png", "x.diff.png"].map { "\(folder)/\($0)" })
            #expect(try beside.keep([("got", [3])], of: "x") == ["\(folder)/x-2.got.png"])
            let made = PictureFolder(failures: .newFolder(below: folder))
            let first = try made.keep([("got", [4])], of: "x")[0]
            let second = try made.keep([("got", [5])], of: "y")[0]
            #expect(first.hasPrefix(folder + "/espbench-pictures-") && first.hasSuffix("/x.got.png"))
            #expect(PictureFolder.folder(of: first) == PictureFolder.folder(of: second))
            #expect(FileManager.default.contents(atPath: second) == Data([5]))
            let lost = PictureFolder(failures: .newFolder(below: folder + "/none"))
            let error = #expect(throws: FileFault.self) { try lost.keep([("got", [1])], of: "x") }
            #expect(error?.description.contains("no folder could be created in \(folder)/none") == true)
        }
    }

    @Test("are in the folders of paths")
    func folders() {
        let folders: [(String, String)] = [("a.yaml", "."), ("/a.yaml", "/"), ("x/a.yaml", "x"), ("/x/y/a", "/x/y")]
        for (file, folder) in folders { #expect(PictureFolder.folder(of: file) == folder) }
    }
}
