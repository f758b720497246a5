import FirmwareBuild
import Foundation
import Testing

/// Sketches as arduino-cli takes them (its sketch specification), and PlatformIO projects.
@Suite struct SketchFolderTests {
    private let project: TrialProject

    init() throws { project = try TrialProject() }

    private func names(_ paths: [String]) -> [String] {
        paths.map { $0.replacing(project.folder + "/", with: "") }
    }

    @Test func theFilesOfASketchAreThoseOfTheSpecification() throws {
        for name in [
            "Lamp.ino", "b.ino", "a.pde", "x.c", "x.cpp", "x.cc", "x.cxx", "x.S", "x.h", "x.hpp", "x.hh", "x.ipp",
            "x.inl", ".hidden.cpp", "src/y.cpp", "src/deep/z.c", "src/deep/z.h", "src/no.ino", "data/no.cpp",
            "sub/no.h",
        ] {
            try project.write("", "Lamp/" + name)
        }
        let sketch = try Sketch("Lamp", firmwareFolder: project.folder)
        #expect(names(sketch.inoFiles) == ["Lamp/Lamp.ino", "Lamp/a.pde", "Lamp/b.ino"])
        #expect(
            names(sketch.sourceFiles) == [
                "Lamp/x.S", "Lamp/x.c", "Lamp/x.cc", "Lamp/x.cpp", "Lamp/x.cxx", "Lamp/src/deep/z.c", "Lamp/src/y.cpp",
            ])
        #expect(
            names(sketch.headerFiles) == [
                "Lamp/x.h", "Lamp/x.hh", "Lamp/x.hpp", "Lamp/x.inl", "Lamp/x.ipp", "Lamp/src/deep/z.h",
            ])
    }

    @Test func aSketchIsGivenByFolderFileNameOrLink() throws {
        try project.write("", "Lamp/Lamp.ino")
        try project.link("Other", to: "Lamp")
        for argument in [
            "Lamp", "\(project.folder)/Lamp", "\(project.folder)/Lamp/", "\(project.folder)/Lamp/Lamp.ino",
            "\(project.folder)/./Host/../Lamp",
        ] {
            let sketch = try Sketch(argument, firmwareFolder: project.folder)
            #expect(sketch.folder == project.folder + "/Lamp" && sketch.name == "Lamp")
        }
        #expect(try Sketch("Other", firmwareFolder: project.folder).name == "Lamp")
    }

    @Test(arguments: [
        ("Nope", "no sketch 'Nope': expected a folder with an .ino file of its name"),
        ("Twins", "Twins has A.ino, B.ino, but no Twins.ino: rename the main file or the folder"),
        ("Twins/A.ino", "Twins has A.ino, B.ino, but no Twins.ino"),
    ])
    func aMissingSketchOrMainFileIsExplained(_ argument: String, _ text: String) throws {
        try project.write("", "Twins/A.ino")
        try project.write("", "Twins/B.ino")
        let path = argument == "Nope" ? argument : "\(project.folder)/\(argument)"
        let error = try #require(throws: FirmwareBuildError.self) { try Sketch(path, firmwareFolder: project.folder) }
        #expect(error.code == .sketchNotFound)
        #expect(error.detail.replacing(project.folder + "/", with: "").contains(text), "\(error)")
    }

    @Test(arguments: ["My Lamp", "Lamp's \"best\"", "Lämp", "a$b"])
    func aNameMayHaveSpacesQuotesAndLetters(_ name: String) async throws {
        try project.write("#include \"x y.h\"\nvoid setup() { later(); }\nvoid later() {}\n", "\(name)/\(name).ino")
        try project.write("", "\(name)/x y.h")
        _ = try await project.build(name)
        try project.write("#error changed\n", "\(name)/x y.h")
        #expect(try await project.failure(name)?.compilerOutput.contains("changed") == true)
        try project.write("", "\(name)/x y.h")
        try project.write("void setup() {\n nope(); }\n", "\(name)/\(name).ino")
        let output = try await project.failure(name)?.compilerOutput ?? ""
        #expect(output.contains("\(name)/\(name).ino:2:"), "\(output)")
    }

    @Test func anyEncodingAndLineEndIsTaken() async throws {
        let latin =
            [UInt8](arrayLiteral: 0xEF, 0xBB, 0xBF) + Array("const char text[] = \"".utf8) + [0xE9]
            + Array(
                "\";\r\nstatic_assert(sizeof text == 2);\r\nvoid setup() { later(); }\r\nvoid later() { nope(); }\r\n"
                    .utf8)
        try project.write(latin, "Lamp/Lamp.ino")
        let output = try await project.failure()?.compilerOutput ?? ""
        #expect(output.contains("Lamp/Lamp.ino:4:16: error: ‘nope’ was not declared"), "\(output)")
        #expect(!output.contains("static assertion"), "\(output)")
    }

    @Test func anEmptySketchHasNoSetup() async throws {
        try project.write("", "Lamp/Lamp.ino")
        #expect(
            try await project.failure()?.description
                == "Lamp does not link: it has no setup()\n"
                + "Lamp/Lamp.ino: error: expected void setup() and void loop() in the sketch")
    }

    @Test func aTypeBelowTheFirstFunctionIsExplained() async throws {
        try project.write(
            "struct Early {};\nvoid setup() {}\nstruct Late { int x; };\nvoid use(Early e, Late l) {}\n",
            "Lamp/Lamp.ino")
        let output = try await project.failure()?.compilerOutput ?? ""
        #expect(
            output.hasSuffix(
                "Lamp/Lamp.ino:3: note: Late is declared here, below the first function (line 2 of Lamp.ino), where the "
                    + "prototypes of all functions are inserted, as arduino-cli does: declare it above that function, or in "
                    + "a header\n"), "\(output)")
    }

    @Test func anIncludedFolderIsCalledOne() async throws {
        try project.write("", "Lamp/sub/x.h")
        try project.write("#include \"sub\"\nvoid setup() {}\n", "Lamp/Lamp.ino")
        #expect(
            try await project.failure()?.compilerOutput.contains("  sub is a folder: include a file in it\n") == true)
    }

    @Test func twoSketchesOfOneNameDoNotShareFiles() async throws {
        try project.write("void setup() {}\n", "a/Lamp/Lamp.ino")
        try project.write("int x;\nvoid setup() { x = 1; }\n", "b/Lamp/Lamp.ino")
        let first = try await project.build("a/Lamp")
        let second = try await project.build("b/Lamp")
        #expect(Set(first.files).isDisjoint(with: second.files))
        #expect(try await project.build("a/Lamp").compiled.isCached)
    }

    // MARK: PlatformIO

    @Test func aPlatformIOProjectIsBuiltWithItsFlagsAndLibraries() async throws {
        try project.write(
            """
            [platformio]
            default_envs = bench
            [common]
            flags = -D COMMON=1
            [env]
            framework = arduino
            [env:other]
            build_flags = -DOTHER
            [env:bench]
            ; a comment
            build_flags =
              ${common.flags} -DTEXT='"a b"' ; why
              -I config -Wl,--gc-sections -O2
            """, "Node/platformio.ini")
        try project.write(
            "#include <Arduino.h>\n#include <conf.h>\n#include <shared.h>\n#include <Own.h>\n#include <Got.h>\n"
                + "#ifdef OTHER\n#error\n#endif\nstatic_assert(COMMON == 1 && sizeof TEXT == 4 && CONF && SHARED);\n"
                + "void setup() { own(); }\n", "Node/src/main.cpp")
        try project.write("#define CONF 1\n", "Node/config/conf.h")
        try project.write("#define SHARED 1\n", "Node/include/shared.h")
        try project.write("void own();\n", "Node/lib/Own/src/Own.h")
        try project.write("void own() {}\n", "Node/lib/Own/src/Own.cpp")
        try project.write("", "Node/.pio/libdeps/bench/Got/Got.h")
        let built = try await project.build("Node")
        #expect(built.compiled.libraries.map(\.title) == ["Got", "Own"])
        #expect(built.compiled.warnings.contains("build_flags -O2 -Wl,--gc-sections are not used on the virtual board"))
        #expect(built.sketch.layout == .platformIO && built.sketch.name == "Node")

        try project.write("[env:a]\nnot an option\n", "Node/platformio.ini")
        #expect(
            try await project.failure("Node")?.detail
                == "Node/platformio.ini:2: expected [section] or option = value, got 'not an option'")
        try project.write("[platformio]\ndefault_envs = x\n[env:a]\n[env:b]\n", "Node/platformio.ini")
        #expect(
            try await project.failure("Node")?.detail
                == "Node/platformio.ini: default_envs names 'x', expected one of: a, b")
    }

    @Test func anInoInAPlatformIOProjectGetsPrototypes() async throws {
        try project.write("[env:a]\nframework = arduino\n", "Node/platformio.ini")
        try project.write("void setup() { later(); }\nvoid later() {}\n", "Node/src/main.ino")
        _ = try await project.build("Node")
        #expect(try Sketch("\(project.folder)/Node/src/main.ino", firmwareFolder: "/").name == "Node")
    }

    @Test func aPlatformIOProjectMayNameItsFolders() async throws {
        try project.write(
            """
            [platformio]
            src_dir = firmware/code
            include_dir = $PROJECT_DIR/firmware/headers
            lib_dir = parts
            libdeps_dir = got
            [base]
            lib_extra_dirs =
              ../Shared
              more   # a comment
            build_flags = -DBASE=1 -I${platformio.src_dir}/inner
            [env:bench]
            extends = base
            framework = arduino
            """, "Node/platformio.ini")
        try project.write(
            "#include <A.h>\n#include <B.h>\n#include <C.h>\n#include <D.h>\n#include <own.h>\n#include <inner.h>\n"
                + "static_assert(BASE);\nvoid setup() {}\n", "Node/firmware/code/main.cpp")
        try project.write("", "Node/firmware/code/inner/inner.h")
        try project.write("", "Node/firmware/headers/own.h")
        for folder in ["Node/parts/A", "Node/got/bench/B", "Shared/C", "Node/more/D"] {
            try project.write("", "\(folder)/\(folder.suffix(1)).h")
        }
        try project.write("#error not a source\n", "Node/src/main.cpp")
        let built = try await project.build("Node")
        #expect(built.compiled.libraries.map(\.title) == ["B", "D", "A", "C"])
        #expect(built.compiled.warnings == "")
        #expect(names(built.sketch.sourceFiles) == ["Node/firmware/code/main.cpp"])
    }

    @Test func anOptionOfPlatformIOThatIsNotUsedIsNamedWithItsLine() async throws {
        try project.write(
            "[platformio]\nextra_configs = a.ini\n[env]\nbuild_src_filter = +<*>\n[env:a]\nmonitor_speed = 1\n",
            "Node/platformio.ini")
        try project.write("void setup() {}\n", "Node/src/main.ino")
        #expect(
            try await project.build("Node").compiled.warnings.replacing(project.folder + "/", with: "") == """
                Node/platformio.ini:2: warning: extra_configs is not used on the virtual board
                Node/platformio.ini:4: warning: build_src_filter is not used on the virtual board
                """)
        try project.write("[platformio]\nsrc_dir = nowhere\n[env:a]\n", "Node/platformio.ini")
        #expect(
            try await project.failure("Node")?.detail
                == "Node/platformio.ini:2: expected src_dir to be a folder, there is none at Node/nowhere")
    }

    @Test func aLibraryOfPlatformIOIsFoundByAHeaderInAFolderAndCompiledAsAWhole() async throws {
        try project.write("[env:a]\nframework = arduino\n", "Node/platformio.ini")
        try project.write(
            "#include <led/led.h>\n#include <flat.h>\nvoid setup() { led(); flat(); }\n", "Node/src/main.cpp")
        try project.write("void led();\n", "Node/lib/Led/include/led/led.h")
        try project.write("#include <led/led.h>\nvoid led() {}\n", "Node/lib/Led/src/led.cpp")
        try project.write("void flat();\n", "Node/lib/Flat/flat.h")
        try project.write("void flat() {}\n", "Node/lib/Flat/inner/flat.cpp")
        try project.write("#error not a source\n", "Node/lib/Flat/examples/one/one.cpp")
        let built = try await project.build("Node")
        #expect(built.compiled.libraries.map(\.title) == ["Flat", "Led"])

        // arduino-cli does not.
        try project.write("void led();\n", "libraries/Led/src/led/led.h")
        try project.write("name=Led\n", "libraries/Led/library.properties")
        try project.write("#include <led/led.h>\nvoid setup() {}\n", "Lamp/Lamp.ino")
        #expect(try await project.failure()?.code == .libraryNotFound)
    }

    @Test(.timeLimit(.minutes(10))) func aVariableOfPlatformIOThatStandsForItselfIsNamed() async throws {
        let many = String(repeating: "${env:a.build_flags} ", count: 60)
        try project.write("[env:a]\nframework = arduino\nbuild_flags = \(many)\n", "Node/platformio.ini")
        try project.write("void setup() {}\n", "Node/src/main.ino")
        #expect(
            try await project.failure("Node")?.detail
                == """
                Node/platformio.ini:3: expected at most 500 variables ${…}, got more: does a variable refer to itself?
                """)
    }

    @Test func aFolderWithALineBreakInItsNameIsRefused() async throws {
        try project.write("void setup() {}\n", "La\nmp/La\nmp.ino")
        let error = try #require(try await project.failure("La\nmp"))
        #expect(error.code == .sketchNotFound)
        #expect(error.detail.contains("La\\nmp\": expected a path without line breaks"), "\(error)")
    }
}
