import Foundation
import Testing

/// Pictures of a display on the virtual bench: written by `--update`, expected, and red when the sketch draws another.
@Suite("The picture of a display", .ownThreads)
struct PictureTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized

    private func run(
        shift: Int, in folder: URL, _ options: [String] = []
    ) throws -> (code: Int32, output: String, errors: String) {
        let sketch = Self.root.appending(path: "Tests/Board/Sketches/Screen").path
        let suite = """
            suite: Screen
            sketch: \(sketch)
            parts: {screen: {part: ssd1306}}
            cases:
              - name: moves
                steps:
                  - expect: {screen: start.png}
                  - console: "\(shift)"
                  - expect: {screen: in/moved.png, within: 500 ms}

            """
        try Data(suite.utf8).write(to: folder.appending(path: "s.yaml"))
        return try EspbenchProcess(
            ["test", "--project", Self.root.path, "s.yaml", "--nimble", "built-in"] + options, folder: folder
        ).run()
    }

    @Test("is missing, updated, expected, and differs")
    func pictures() throws {
        try withTemporaryFolder { folder in
            let missing = try run(shift: 3, in: folder)
            #expect(missing.code != 0)
            #expect(missing.output.contains("no such file beside s.yaml: 'espbench test --update' writes it"))
            let updated = try run(shift: 3, in: folder, ["--update"])
            #expect(updated.code == 0, "\(updated.output)")
            #expect(updated.errors.contains("wrote in/moved.png\nwrote start.png\n"))
            let equal = try run(shift: 3, in: folder)
            #expect(equal.code == 0 && !equal.errors.contains("wrote"), "\(equal.output)")
            let different = try run(shift: 4, in: folder, ["--timeline", "t.jsonl"])
            #expect(different.output.contains("expected  screen.picture as in in/moved.png within 500 ms"))
            // 2 columns of each of 4 stripes, in 8 pages with 4 + 1 pixels. Columns are
            // counted from the right, as the sketch does not send 0xA1.
            #expect(different.output.contains("320 of 8192 pixels differ from in/moved.png, the first at (3, 0)"))
            for kind in ["wanted", "got", "diff"] {
                let name = "s-9-in-moved.\(kind).png"
                #expect(different.output.contains(name))
                #expect(FileManager.default.fileExists(atPath: folder.appending(path: name).path))
            }
        }
    }
}
