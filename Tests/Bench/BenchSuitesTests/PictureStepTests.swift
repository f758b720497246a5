import BenchModel
import BenchSuites
import PNG
import Synchronization
import Testing
import YAMLReading

/// Expected pictures of displays.
@Suite("Pictures of a suite")
struct PictureStepTests {
    private static let head = """
        suite: Fake
        sketch: Calculator
        parts:
          screen: {part: ssd1306}
        cases:

        """

    private func run(_ steps: [String], each: String = "{t: [3]}", _ files: FakePictures?) throws -> FakeRun {
        let steps = steps.map { "      - \($0)\n" }.joined()
        var options = RunOptions()
        options.pictures = files
        return try runFake(
            "", options: options, yaml: Self.head + "  - name: x\n    each: \(each)\n    steps:\n\(steps)")
    }

    /// A picture as the fake screen shows it.
    private static func picture(_ pixel: Int, width: Int = 8) -> [UInt8] {
        let pixels = (0..<width * 4).map { $0 == pixel ? UInt32(0xFFFFFF) : 0 }
        return PNGImage(width: width, height: 4, pixels: pixels).file
    }

    @Test("are compared with all pixels, once or for a time")
    func passing() throws {
        let passing: [[String]] = [
            ["console: draw 3", "expect: {screen: a.png}", "expect: {screen.picture: a.png, for: 1 s}"],
            ["console: later 3", "expect: {screen: a.png, within: 60 ms}"],
            ["console: draw 9", "console: later 3", "expect: {screen: \"in/{t}.png\", within: 60 ms}"],
        ]
        for steps in passing {
            let files = FakePictures(["a.png": Self.picture(3), "in/3.png": Self.picture(3)])
            let result = try run(steps, files)
            #expect(result.failure == nil, "\(steps) \(result.failure.map { "\($0)" } ?? "")")
            #expect(files.kept.isEmpty)
        }
    }

    @Test("that differ fail with the number and place of the differing pixels, and three files")
    func difference() throws {
        let files = FakePictures(["in/a.png": Self.picture(3)])
        let result = try run(["console: draw 12", "expect: {screen: in/a.png, within: 1 ms}"], files)
        #expect(result.failure?.expected == "screen.picture as in in/a.png within 1 ms")
        let got = try #require(result.failure?.got)
        #expect(got.hasPrefix("it became 8 x 4, 1 pixels lit"))
        #expect(
            got.hasSuffix(
                "; 2 of 32 pixels differ from in/a.png, the first at (3, 0): out/fake-10-3-in-a.wanted.png, "
                    + "out/fake-10-3-in-a.got.png, out/fake-10-3-in-a.diff.png"), "\(got)")
        #expect(files.kept["out/fake-10-3-in-a.wanted.png"] == Self.picture(3))
        #expect(files.kept["out/fake-10-3-in-a.got.png"] == Self.picture(12))
        let red = try PNGImage(file: try #require(files.kept["out/fake-10-3-in-a.diff.png"]))
        #expect(red.pixels.indices.filter { red.pixels[$0] == 0xFF0000 } == [3, 12])
        let brief = FakePictures(["a.png": Self.picture(3)])
        let steps: [String] = ["console: draw 3", "console: later 4", "expect: {screen: a.png, for: 60 ms}"]
        #expect(try run(steps, brief).failure?.got.contains("it became 8 x 4, 1 pixels lit") == true)
        #expect(brief.kept.count == 3)
    }

    @Test("whose files are missing, damaged or of another size fail with the reason")
    func files() throws {
        let cases: [(files: [String: [UInt8]], got: String)] = [
            ([:], "no such file beside fake.yaml: 'espbench test --update' writes it, as the display shows it"),
            (["a.png": [1, 2]], "expected a PNG file, got one that does not begin with its signature"),
            (["a.png": Self.picture(3, width: 9)], "a.png of 9 x 4"),
        ]
        for (files, got) in cases {
            let failure = try run(["console: draw 3", "expect: {screen: a.png}"], FakePictures(files)).failure
            #expect(failure?.got == got)
            #expect(failure?.cause == .suite && failure?.position.line == 10)
        }
        let size = try run(["expect: {screen: a.png}"], FakePictures(["a.png": Self.picture(3, width: 9)])).failure
        #expect(size?.expected == "a picture of 8 x 4, the size of screen.picture")
        #expect(try run(["expect: {screen: a.png}"], nil).failure?.got == "none: no picture can be compared")
    }

    @Test("are updated where they are missing or not shown, and are then expected")
    func update() throws {
        let steps: [String] = ["console: later 3", "expect: {screen: a.png}", "expect: {screen: b.png, for: 1 s}"]
        let starts: [[String: [UInt8]]] = [
            [:], ["a.png": [1], "b.png": Self.picture(1)], ["a.png": Self.picture(1, width: 9)],
        ]
        for start in starts {
            let files = FakePictures(start, isUpdating: true)
            #expect(try run(steps, files).failure == nil)
            #expect(files.files == ["a.png": Self.picture(3), "b.png": Self.picture(3)])
            #expect(try run(steps, FakePictures(files.files)).failure == nil)
        }
        // A picture that does not stay is not wrong, and a broken update is a failure.
        let brief: [String] = ["console: draw 3", "console: later 4", "expect: {screen: a.png, for: 60 ms}"]
        let right = FakePictures(["a.png": Self.picture(3)], isUpdating: true)
        #expect(try run(brief, right).failure != nil)
        #expect(right.files["a.png"] == Self.picture(3))
        let refused = try run(["expect: {screen: full.png}"], FakePictures([:], isUpdating: true))
        #expect(refused.failure?.got == "no space")
    }

    @Test(
        "are beside the suite",
        arguments: ["/a.png", "../a.png", "in/../a.png", "a.jpg", ".png", "in//a.png", "~/a.png", "[a.png]"])
    func paths(_ path: String) {
        let error = #expect(throws: SuiteError.self) {
            try Suite(yaml: Self.head + "  - {name: x, steps: [expect: {screen: \(path)}]}\n", file: "s.yaml")
        }
        #expect(error?.description.contains("s.yaml:6:") == true)
        #expect(error?.description.contains("such as warm.png, got") == true, "\(error?.description ?? "")")
    }
}

/// Pictures in memory; the file `full.png` cannot be written.
private final class FakePictures: PictureFiles {
    let isUpdating: Bool
    private let state: Mutex<(files: [String: [UInt8]], kept: [String: [UInt8]])>

    init(_ files: [String: [UInt8]], isUpdating: Bool = false) {
        self.isUpdating = isUpdating
        state = Mutex((files, [:]))
    }

    var files: [String: [UInt8]] { state.withLock { $0.files } }
    var kept: [String: [UInt8]] { state.withLock { $0.kept } }

    func read(_ path: String, beside suite: String) -> [UInt8]? {
        #expect(suite == "fake.yaml")
        return files[path]
    }

    func update(_ path: String, beside suite: String, to picture: [UInt8]) throws {
        #expect(isUpdating)
        if path == "full.png" { throw Fault(description: "no space") }
        state.withLock { $0.files[path] = picture }
    }

    func keep(_ pictures: [(kind: String, file: [UInt8])], of name: String) -> [String] {
        pictures.map { kind, file in
            let path = "out/\(name).\(kind).png"
            state.withLock { $0.kept[path] = file }
            return path
        }
    }

    private struct Fault: Error, CustomStringConvertible {
        let description: String
    }
}
