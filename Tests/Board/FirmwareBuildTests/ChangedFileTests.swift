import FirmwareBuild
import Foundation
import Testing

/// Files that are changed while they are compiled.
@Suite struct ChangedFileTests {
    private let project: TrialProject

    init() throws { project = try TrialProject() }

    /// Builds the sketch with a compiler that, after compiling `file`, runs the command `then`; the program's exit code.
    private func build(after file: String, _ then: String) async throws -> Int32 {
        try project.write(
            "#!/bin/sh\nc++ \"$@\" || exit $?\ncase \"$*\" in *\" -c \"*\(file)*) cd \(project.folder) && \(then);; esac\n",
            "compiler")
        let compiler = project.folder + "/compiler"
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: compiler)
        let builder = FirmwareBuilder(
            toolchain: try await HostToolchain(hostCore: project.folder + "/Host", compilers: [compiler]),
            key: try SealingKey.load(path: project.folder + "/key"), cache: project.folder + "/cache")
        let built = try await builder.build(
            try Sketch("Lamp", firmwareFolder: project.folder),
            libraries: LibraryFolders(project: [project.folder + "/libraries"], user: []))
        let process = Process()
        process.executableURL = URL(filePath: built.compiled.program)
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    private static let sketch = "#include <stdlib.h>\n#include \"value.h\"\nvoid setup() { exit(VALUE); }\n"
    private static let replace = "if [ -e next ]; then mv next"

    @Test func aHeaderThatIsReplacedMeanwhileIsCompiledAgain() async throws {
        try project.write(Self.sketch, "Lamp/Lamp.ino")
        try project.write("#define VALUE 1\n", "Lamp/value.h")
        try project.write("#define VALUE 2\n", "next")
        let then = Self.replace + " Lamp/value.h; fi"
        #expect(try await build(after: "Lamp.ino.cpp", then) == 2)
        // Nothing of the first value was stored under the second's, or the other way round.
        #expect(try await build(after: "Lamp.ino.cpp", then) == 2)
        try project.write("#define VALUE 1\n", "Lamp/value.h")
        #expect(try await build(after: "Lamp.ino.cpp", then) == 1)
    }

    @Test func aSourceOfALibraryThatIsReplacedMeanwhileIsCompiledAgain() async throws {
        try project.write("int value();\n#define VALUE value()\n", "libraries/Value/value.h")
        try project.write("int value() { return 1; }\n", "libraries/Value/Value.cpp")
        try project.write("int value() { return 2; }\n", "next")
        try project.write(Self.sketch, "Lamp/Lamp.ino")
        let then = Self.replace + " libraries/Value/Value.cpp; fi"
        #expect(try await build(after: "Value.cpp", then) == 2)
        #expect(try await build(after: "Value.cpp", then) == 2)
    }

    @Test func aTabThatIsReplacedMeanwhileIsCompiledByTheNextBuild() async throws {
        try project.write(Self.sketch, "Lamp/Lamp.ino")
        try project.write("#define VALUE 1\n", "Lamp/value.h")
        try project.write(Self.sketch.replacing("VALUE", with: "VALUE + 2"), "next")
        let then = Self.replace + " Lamp/Lamp.ino; fi"
        #expect(try await build(after: "Lamp.ino.cpp", then) == 1)
        #expect(try await build(after: "Lamp.ino.cpp", then) == 3)
    }

    @Test func aFileThatChangesEachTimeIsNamed() async throws {
        try project.write(Self.sketch, "Lamp/Lamp.ino")
        try project.write("#define VALUE 1\n", "Lamp/value.h")
        let error = await #expect(throws: FirmwareBuildError.self) {
            try await build(after: "Lamp.ino.cpp", "echo '#define VALUE 3' > Lamp/value.h")
        }
        let detail = "/Lamp/value.h was changed while it was compiled, 4 times: what writes it?"
        #expect(error?.detail == project.folder + detail)
    }
}
