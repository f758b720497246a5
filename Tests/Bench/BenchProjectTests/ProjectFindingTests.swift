import BenchProject
import Testing

@Suite("Finding projects and suites")
struct ProjectFindingTests {
    private static func suite(_ name: String) -> String { "suite: \(name)\ncases: []\n" }

    private func finder(
        _ files: MemoryFiles, in folder: String, project: String? = nil
    ) throws(ProjectError) -> ProjectFinder {
        try ProjectFinder(files: files, workingFolder: folder, project: project)
    }

    @Test("the nearest file above the working folder counts; a hidden one too")
    func nearest() throws {
        for name in ProjectFile.names {
            let files = MemoryFiles(["/p/\(name)": "", "/p/.git/x": "", "/p/a/b/c": "", "/p/q/espbench.yaml": ""])
            #expect(try finder(files, in: "/p/a/b").current().root == "/p")
            #expect(try finder(files, in: "/p/q").current().root == "/p/q")
        }
        let both = MemoryFiles(["/p/espbench.yaml": "", "/p/.espbench.yaml": ""])
        #expect(
            ProjectFinder.fault { () throws(ProjectError) in try finder(both, in: "/p").current() }
                == "/p has espbench.yaml and .espbench.yaml: expected one of them")
    }

    @Test("a file that is a folder, or cannot be read, is told")
    func unreadable() throws {
        let folder = MemoryFiles(["/p/espbench.yaml/x": ""])
        #expect(
            ProjectFinder.fault { () throws(ProjectError) in try finder(folder, in: "/p").current() }
                == "espbench.yaml could not be read: Is a directory")
        var files = MemoryFiles(["/p/espbench.yaml": "", "/p/a/b": ""])
        files.unreadable = ["/p/espbench.yaml"]
        #expect(
            ProjectFinder.fault { () throws(ProjectError) in try finder(files, in: "/p/a").current() }
                == "../espbench.yaml could not be read: Permission denied")
    }

    @Test("a sketch's name or .ino is an argument for its suites")
    func suitesOfASketch() throws {
        let files = MemoryFiles([
            "/p/.git/x": "", "/p/fw/A/A.ino": "", "/p/fw/A/Suites/a.yaml": Self.suite("A"), "/p/fw/B/B.ino": "",
        ])
        let finder = try finder(files, in: "/p")
        #expect(try finder.suites(["A"]) == ["fw/A/Suites/a.yaml"])
        #expect(try finder.suites(["fw/A/A.ino"]) == ["fw/A/Suites/a.yaml"])
        #expect(
            ProjectFinder.fault { () throws(ProjectError) in try finder.suites(["B"]) }
                == "no suite of the sketch 'B': expected .yaml files in fw/B/Suites")
    }

    @Test("sketches that the project's file does not name are known")
    func unnamed() throws {
        let files = MemoryFiles([
            "/p/espbench.yaml": "sketches: [fw/A]\n", "/p/fw/A/A.ino": "", "/p/fw/B/B.ino": "",
            "/p/libraries/L/examples/E/E.ino": "",
        ])
        let finder = try finder(files, in: "/p")
        #expect(try finder.unnamedSketches(of: finder.current()).map(\.folder) == ["/p/fw/B"])
    }

    @Test("a chosen project is used for everything", arguments: ["/q", "/q/espbench.yaml", "../q"])
    func chosen(project: String) throws {
        let files = MemoryFiles([
            "/p/espbench.yaml": "", "/p/A/A.ino": "", "/q/espbench.yaml": "", "/q/B/B.ino": "",
        ])
        let finder = try finder(files, in: "/p", project: project)
        #expect(try finder.sketch("B").sketch.folder == "/q/B")
        #expect(try finder.current().root == "/q")
        #expect(
            ProjectFinder.fault { () throws(ProjectError) in try self.finder(files, in: "/p", project: "r") }
                == "no project 'r': expected a folder, or its espbench.yaml, at /p/r")
    }

    @Test("paths that are not there are told with their place")
    func missingPaths() throws {
        let yaml = "sketches: [firmwre, fw/*]\nsuites: [tests]\nlibraries: [libs, firmware/Own]\n"
        let files = MemoryFiles([
            "/p/espbench.yaml": yaml, "/p/firmware/A/A.ino": "", "/p/firmware/Own/library.properties": "",
        ])
        #expect(
            ProjectFinder.fault { () throws(ProjectError) in try finder(files, in: "/p").current() } == """
                espbench.yaml:1:12: expected a folder or file at /p/firmwre, there is nothing (did you mean 'firmware'?)
                espbench.yaml:1:21: nothing matches 'fw/*' in /p
                espbench.yaml:2:10: expected a folder or file at /p/tests, there is nothing
                espbench.yaml:3:13: expected a folder with libraries at /p/libs, there is nothing
                espbench.yaml:3:19: 'firmware/Own' is a library: expected the folder that holds libraries, 'firmware/Own/..'
                """)
    }

    @Test(
        "sketches by folder, glob, or a folder of them",
        arguments: [
            ("[fw/A]", ["A"]), ("[fw/*]", ["A", "B"]), ("fw", ["A", "B", "C"]), ("['fw/**']", ["A", "B", "C"]),
            ("['fw/[BC]', fw/deep/C]", ["B", "C"]), ("['fw/?', fw/A]", ["A", "B"]),
        ])
    func sketches(paths: String, names: [String]) throws {
        let files = MemoryFiles([
            "/p/espbench.yaml": "sketches: \(paths)\n", "/p/fw/A/A.ino": "", "/p/fw/B/B.ino": "",
            "/p/fw/deep/C/C.ino": "", "/p/fw/.hidden/D/D.ino": "", "/p/other/E/E.ino": "", "/p/fw/none/x": "",
        ])
        let finder = try finder(files, in: "/p")
        #expect(try finder.sketches(of: finder.current()).map(\.name) == names)
    }

    @Test("suites beside sketches, and those that the file adds")
    func suites() throws {
        let files = MemoryFiles([
            "/p/espbench.yaml": "suites: [more, one.yml]\n", "/p/A/A.ino": "", "/p/A/Suites/b.yaml": "faulty",
            "/p/A/Suites/a.yml": "", "/p/A/Suites/.c.yaml": "", "/p/A/Suites/notes.md": "",
            "/p/A/sketch.yaml": "suite:",
            "/p/A/quick.yaml": Self.suite("Q"), "/p/A/data.yaml": "x: 1\n", "/p/A/test/t.yaml": Self.suite("T"),
            "/p/A/test/other.yaml": "x: 1\n", "/p/A/src/no.yaml": Self.suite("N"),
            "/p/more/deep/m.yaml": Self.suite("M"),
            "/p/one.yml": "", "/p/elsewhere/Suites/e.yaml": "",
        ])
        #expect(
            try finder(files, in: "/p").suites([]) == [
                "A/quick.yaml", "A/Suites/a.yml", "A/Suites/b.yaml", "A/test/t.yaml", "more/deep/m.yaml", "one.yml",
            ])
        #expect(try finder(files, in: "/p/A/src").suites([]).first == "../quick.yaml")
    }

    @Test("a folder means the suites in it, named as the user named it")
    func folders() throws {
        var files = MemoryFiles([
            "/p/.git/x": "", "/p/A/A.ino": "", "/p/A/Suites/a.yaml": "", "/p/my suites/it's.yaml": Self.suite("I"),
            "/p/empty/": "", "/p/docs/x.txt": "",
        ])
        files.links = ["/p/A/Suites/loop": "/p/A", "/link": "/p/A"]
        let finder = try finder(files, in: "/p")
        #expect(try finder.suites(["A"]) == ["A/Suites/a.yaml"])
        #expect(try finder.suites(["."]) == ["A/Suites/a.yaml", "my suites/it's.yaml"])
        #expect(try finder.suites(["./A/", "A/Suites/a.yaml"]) == ["A/Suites/a.yaml"])
        #expect(try finder.suites(["/link"]) == ["/link/Suites/a.yaml"])
        #expect(
            ProjectFinder.fault { () throws(ProjectError) in try finder.suites(["A/Suites/b.yaml"]) }
                == "no suite 'A/Suites/b.yaml' (did you mean 'a.yaml'?): expected a file or a folder at /p/A/Suites/b.yaml"
        )
        #expect(
            ProjectFinder.fault { () throws(ProjectError) in try finder.suites(["empty", "A", "docs"]) } == """
                no suite in 'empty', which is empty: expected a .yaml file with the keys 'suite' and 'cases' in /p/empty or below it
                no suite in 'docs': expected a .yaml file with the keys 'suite' and 'cases' in /p/docs or below it
                """)
    }

    @Test("no suite at all is told with the places looked at")
    func noSuites() throws {
        let files = MemoryFiles(["/p/.git/x": "", "/p/A/A.ino": "", "/p/B/B.ino": ""])
        #expect(
            ProjectFinder.fault { () throws(ProjectError) in try finder(files, in: "/p/A").suites([]) }
                == "no suite in the project /p: expected .yaml files in Suites, ../B/Suites")
        #expect(
            ProjectFinder.fault { () throws(ProjectError) in try finder(MemoryFiles(["/p/x/": ""]), in: "/p").suites([])
            }
                == "no suite in the project /p: it has no sketches (folders with an .ino of their name, or with platformio.ini)"
        )
    }

    @Test("libraries are in the folders that the file names, or in 'libraries'")
    func libraries() throws {
        var files = MemoryFiles(["/p/.git/x": "", "/p/libs/A/library.properties": "", "/p/libraries/": ""])
        #expect(try finder(files, in: "/p").current().libraryFolders(files) == ["/p/libraries"])
        files.texts["/p/espbench.yaml"] = "libraries: [libs, libraries]\n"
        #expect(try finder(files, in: "/p").current().libraryFolders(files) == ["/p/libs", "/p/libraries"])
    }

    @Test("a path through a symbolic link is resolved as the system does")
    func links() throws {
        var files = MemoryFiles(["/real/deep/x/A.txt": "", "/real/B/B.ino": "", "/real/espbench.yaml": ""])
        files.links = ["/link": "/real/deep"]
        let finder = try finder(files, in: "/link")
        // Above the link there is no project, above the real folder there is.
        #expect(try finder.current().root == "/real")
    }
}
