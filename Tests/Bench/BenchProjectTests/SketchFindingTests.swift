import BenchModel
import BenchProject
import BenchSuites
import Testing

@Suite("Finding sketches")
struct SketchFindingTests {
    private static let lamp = [
        "/home/me/lamp/.git/config": "", "/home/me/lamp/firmware/Lamp/Lamp.ino": "",
        "/home/me/lamp/firmware/Lamp/src/x.cpp": "", "/home/me/lamp/firmware/Lamp/Suites/a.yaml": "",
        "/home/me/lamp/firmware/Door/platformio.ini": "", "/home/me/lamp/libraries/Blink/examples/Demo/Demo.ino": "",
        "/home/me/lamp/docs/": "",
    ]

    private func finder(
        _ texts: [String: String], in folder: String, project: String? = nil
    ) throws(ProjectError) -> ProjectFinder {
        try ProjectFinder(files: MemoryFiles(texts), workingFolder: folder, project: project)
    }

    @Test("by folder, .ino file or name, from the folders of a repository")
    func arguments() throws {
        for (folder, argument) in [
            ("/home/me/lamp", "Lamp"), ("/home/me/lamp", "firmware/Lamp"), ("/home/me/lamp", "firmware/Lamp/"),
            ("/home/me/lamp", "firmware/Lamp/Lamp.ino"), ("/home/me/lamp/docs", "Lamp"),
            ("/home/me/lamp/docs", "../firmware/Lamp"), ("/home/me/lamp/firmware/Lamp", "."),
            ("/", "home/me/lamp/firmware/Lamp"), ("/home/me/lamp/docs", "/home/me/lamp/firmware/Lamp"),
        ] {
            let found = try finder(Self.lamp, in: folder).sketch(argument)
            #expect(found.sketch.folder == "/home/me/lamp/firmware/Lamp", "\(folder) \(argument)")
            #expect(found.project.root == "/home/me/lamp")
        }
    }

    @Test("PlatformIO's projects are sketches; examples of libraries are none of the project's")
    func kinds() throws {
        let finder = try finder(Self.lamp, in: "/home/me/lamp")
        #expect(try finder.sketches(of: finder.current()).map(\.name) == ["Door", "Lamp"])
        #expect(try finder.sketch("libraries/Blink/examples/Demo").sketch.name == "Demo")
    }

    @Test("without argument the sketch of the working folder, or the only one")
    func noArgument() throws {
        #expect(try finder(Self.lamp, in: "/home/me/lamp/firmware/Lamp/src").sketch(nil).sketch.name == "Lamp")
        #expect(try finder(["/p/.git/x": "", "/p/a/B/B.ino": ""], in: "/p").sketch(nil).sketch.name == "B")
        #expect(try finder(["/p/a/B/B.ino": ""], in: "/p").sketch(".").sketch.name == "B")
        let several = try finder(Self.lamp, in: "/home/me/lamp/docs")
        #expect(
            ProjectFinder.fault { () throws(ProjectError) in try several.sketch(nil) }
                == "the project /home/me/lamp has 2 sketches: expected one of Door, Lamp")
        let none = try finder(["/p/x/y.txt": ""], in: "/p")
        #expect(
            ProjectFinder.fault { () throws(ProjectError) in try none.sketch(nil) }
                == "no sketch in /p: expected a folder with an .ino of its name, or with platformio.ini")
    }

    @Test(
        "one that is not there is told with every path tried",
        arguments: [
            (
                "Lanp",
                "no sketch 'Lanp' (did you mean 'Lamp'?): tried /home/me/lamp/Lanp (nothing there); the project /home/me/lamp has Door, Lamp"
            ),
            (
                "docs",
                "no sketch 'docs': tried /home/me/lamp/docs (expected docs.ino or platformio.ini in it, it is empty); the project /home/me/lamp has Door, Lamp"
            ),
            (
                "firmware/Lamp/src/x.cpp",
                "no sketch 'firmware/Lamp/src/x.cpp': tried /home/me/lamp/firmware/Lamp/src/x.cpp (a file, but no .ino and no platformio.ini); the project /home/me/lamp has Door, Lamp"
            ),
            ("firmware", "'firmware' has 2 sketches: expected one of firmware/Door, firmware/Lamp"),
        ])
    func missing(argument: String, message: String) throws {
        let finder = try finder(Self.lamp, in: "/home/me/lamp")
        #expect(ProjectFinder.fault { () throws(ProjectError) in try finder.sketch(argument) } == message)
    }

    @Test("a folder with an .ino of another name is told so")
    func otherName() throws {
        let finder = try finder(["/p/lamp/blink.ino": ""], in: "/p")
        #expect(
            ProjectFinder.fault { () throws(ProjectError) in try finder.sketch("lamp") }
                == "no sketch 'lamp': tried /p/lamp (expected lamp.ino or platformio.ini in it, it has blink.ino); the project /p has no sketches"
        )
    }

    @Test("a symbolic link to a sketch is one, also by another name")
    func link() throws {
        var files = MemoryFiles(["/p/Lamp/Lamp.ino": "", "/p/Lamp/Suites/a.yaml": ""])
        files.links = ["/q": "/p/Lamp"]
        #expect(try ProjectFinder(files: files, workingFolder: "/q").sketch(nil).sketch.folder == "/p/Lamp")
        #expect(try ProjectFinder(files: files, workingFolder: "/q/Suites").sketch(nil).sketch.name == "Lamp")
        #expect(try ProjectFinder(files: files, workingFolder: "/").sketch("q").sketch.name == "Lamp")
    }

    @Test("two of one name need a path")
    func twoOfOneName() throws {
        let finder = try finder(["/p/.git/x": "", "/p/a/Lamp/Lamp.ino": "", "/p/b/Lamp/Lamp.ino": ""], in: "/p")
        #expect(
            ProjectFinder.fault { () throws(ProjectError) in try finder.sketch("Lamp") }
                == "the name 'Lamp' belongs to several sketches: expected the path of one, a/Lamp and b/Lamp")
        #expect(
            ProjectFinder.fault { () throws(ProjectError) in try finder.sketch(nil) }
                == "the project /p has 2 sketches: expected one of a/Lamp, b/Lamp")
        #expect(try finder.sketch("b/Lamp").sketch.folder == "/p/b/Lamp")
        // A suite beside one of them means that one.
        let reference = try Suite(yaml: Self.suite("Lamp"), file: "b/Lamp/Suites/s.yaml")
        #expect(
            try finder.sketch(reference.sketchReference, ofSuite: reference.file).sketch.folder == "/p/b/Lamp")
    }

    private static func suite(_ sketch: String?) -> String {
        "suite: S\n\(sketch.map { "sketch: \($0)\n" } ?? "")cases: [{name: a, steps: [reset]}]\n"
    }

    @Test(
        "of a suite: relative to its file, by name, or beside it",
        arguments: [
            ("/home/me/lamp", "firmware/Lamp/Suites/a.yaml", nil, "Lamp"),
            ("/home/me/lamp", "firmware/Lamp/Suites/a.yaml", "..", "Lamp"),
            ("/home/me/lamp", "firmware/Lamp/Suites/a.yaml", "../../Door", "Door"),
            ("/home/me/lamp", "firmware/Lamp/Suites/a.yaml", "Door", "Door"),
            ("/tmp", "/home/me/lamp/docs/s.yaml", "Door", "Door"),
            ("/home/me/lamp", "/tmp/s.yaml", "Door", "Door"),
        ] as [(String, String, String?, String)])
    func ofSuite(folder: String, file: String, reference: String?, sketch: String) throws {
        let finder = try finder(Self.lamp.merging(["/tmp/s.yaml": ""]) { $1 }, in: folder)
        let suite = try Suite(yaml: Self.suite(reference), file: file)
        #expect(try finder.sketch(suite.sketchReference, ofSuite: file).sketch.name == sketch)
    }

    @Test("of a suite, when it is not there: with the suite's line")
    func missingOfSuite() throws {
        let finder = try finder(Self.lamp, in: "/home/me/lamp")
        let suite = try Suite(yaml: Self.suite("Dor"), file: "firmware/Lamp/Suites/a.yaml")
        #expect(
            ProjectFinder.fault { () throws(ProjectError) in
                try finder.sketch(suite.sketchReference, ofSuite: suite.file)
            }
                == "firmware/Lamp/Suites/a.yaml:2:9: no sketch 'Dor' (did you mean 'Door'?): tried /home/me/lamp/firmware/Lamp/Suites/Dor (nothing there); the project /home/me/lamp has Door, Lamp"
        )
        #expect(
            ProjectFinder.fault { () throws(ProjectError) in try finder.sketch(nil, ofSuite: "docs/s.yaml") }
                == "docs/s.yaml:1:1: the suite lacks the key 'sketch', and no folder above it is a sketch; the project /home/me/lamp has Door, Lamp"
        )
    }
}
