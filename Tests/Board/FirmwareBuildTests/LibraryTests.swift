import FirmwareBuild
import Foundation
import Synchronization
import Testing

/// Libraries as arduino-cli finds and compiles them (its library specification and sketch build process).
@Suite struct LibraryTests {
    private let project: TrialProject

    init() throws { project = try TrialProject() }

    private func titles(_ built: BuiltFirmware) -> [String] { built.compiled.libraries.map(\.title) }

    @Test func theSourceLayoutIsCompiledRecursivelyAndNeedsItsDependencies() async throws {
        try project.write("name=Strip\nversion=1.2.0\ndepends=Pixel\n", "libraries/Strip/library.properties")
        try project.write("#include <Pixel.h>\nint strip();\n", "libraries/Strip/src/Strip.h")
        try project.write(
            "#include \"Strip.h\"\n#include \"inner/deep.h\"\nint strip() { return deep() + pixel(); }\n",
            "libraries/Strip/src/Strip.cpp")
        try project.write("int deep();\n", "libraries/Strip/src/inner/deep.h")
        try project.write("int deep() { return 1; }\n", "libraries/Strip/src/inner/deep.cpp")
        try project.write("#error an example\n", "libraries/Strip/examples/A/A.cpp")
        try project.write("int pixel();\n", "user/libraries/Pixel/Pixel.h")
        try project.write("int pixel() { return 2; }\n", "user/libraries/Pixel/Pixel.cpp")
        try project.write("#include <Strip.h>\nint x = strip();\nvoid setup() {}\n", "Lamp/Lamp.ino")
        #expect(try await titles(project.build()) == ["Strip 1.2.0", "Pixel"])
    }

    @Test func theOldLayoutHasItsRootAndUtilityAndCIsC() async throws {
        try project.write(
            "#ifdef __cplusplus\nextern \"C\"\n#endif\nint old(void);\n", "libraries/Old/Old.h")
        try project.write(
            "#include \"Old.h\"\n#include \"part.h\"\nint old(void) { int class = PART; return class + more(); }\n",
            "libraries/Old/Old.c")
        try project.write("#define PART 1\nint more(void);\n", "libraries/Old/utility/part.h")
        try project.write("#include \"part.h\"\nint more(void) { return 1; }\n", "libraries/Old/utility/part.c")
        try project.write("#error deeper\n", "libraries/Old/utility/deep/x.c")
        try project.write("#error no source folder\n", "libraries/Old/extras/x.cpp")
        try project.write("#include <Old.h>\nint x = old();\nvoid setup() {}\n", "Lamp/Lamp.ino")
        #expect(try await titles(project.build()) == ["Old"])
    }

    @Test func aLibraryOfHeadersAndOneInATabAreFound() async throws {
        try project.write("inline int one() { return 1; }\n", "libraries/HeaderOnly/HeaderOnly.hpp")
        try project.write("void setup() {}\n", "Lamp/Lamp.ino")
        try project.write("#include <HeaderOnly.hpp>\nint x = one();\n", "Lamp/Tab.cpp")
        #expect(try await titles(project.build()) == ["HeaderOnly"])
    }

    /// For one header in several libraries arduino-cli's rules decide, in their order.
    @Test(arguments: [
        // (libraries that have X.h, the one that is used)
        (["user/libraries/X", "libraries/Other"], "libraries/Other"),
        (["user/libraries/Other", "user/libraries/X"], "user/libraries/X"),
        (["user/libraries/X-master", "user/libraries/X-main"], "user/libraries/X-main"),
        (["user/libraries/MyX", "user/libraries/Xes"], "user/libraries/Xes"),
        (["user/libraries/Avr=avr", "user/libraries/Zzz"], "user/libraries/Zzz"),
        (["user/libraries/Aaa=*", "user/libraries/Zzz=esp32"], "user/libraries/Zzz"),
        (["user/libraries/B", "user/libraries/A"], "user/libraries/A"),
    ])
    func theBestLibraryForAHeaderIsUsed(_ libraries: [String], _ best: String) async throws {
        for library in libraries {
            let parts = library.split(separator: "=").map(String.init)
            try project.write("", "\(parts[0])/X.h")
            if parts.count > 1 {
                let name = URL(filePath: parts[0]).lastPathComponent
                try project.write("name=\(name)\narchitectures=\(parts[1])\n", "\(parts[0])/library.properties")
            }
        }
        try project.write("#include <X.h>\nvoid setup() {}\n", "Lamp/Lamp.ino")
        let used = try await project.build().compiled.libraries.map(\.folder)
        #expect(used == [project.folder + "/" + best])
    }

    @Test func aLibraryForOtherChipsIsRemarkedOn() async throws {
        try project.write(
            "name=Avr Only\nversion=2.0.0\narchitectures=avr, samd\n", "libraries/AvrOnly/library.properties")
        try project.write("", "libraries/AvrOnly/src/AvrOnly.h")
        try project.write("#include <AvrOnly.h>\nvoid setup() {}\n", "Lamp/Lamp.ino")
        let warnings = try await project.build().compiled.warnings
        #expect(
            warnings.contains("warning: library Avr Only 2.0.0 says that it is for avr, samd, not for esp32 ("),
            "\(warnings)")
    }

    @Test func anIncludeInAnInactiveBranchNeedsNoLibrary() async throws {
        try project.write(
            "#ifndef ESPBENCH_HOST\n#include <Display.h>\n#endif\n#if defined(ESP32) && defined(ARDUINO_ARCH_ESP32)\n"
                + "void setup() {}\n#endif\n", "Lamp/Lamp.ino")
        try project.write("#if !defined(ESPBENCH_HOST) || ARDUINO < 10800\n#error\n#endif\n", "Lamp/Tab.cpp")
        #expect(try await titles(project.build()) == [])
    }

    @Test func whatTheHostCoreReplacesIsNotTakenFromAFolder() async throws {
        try project.write("", "Host/include/ESP32Servo.h")
        try project.write("name=ESP32Servo\nversion=3.0.6\n", "user/libraries/ESP32Servo/library.properties")
        try project.write("#error the user's\n", "user/libraries/ESP32Servo/src/ESP32Servo.h")
        try project.write("#error the user's\n", "user/libraries/ESP32Servo/src/ESP32Other.h")
        try project.write("#include <ESP32Servo.h>\nvoid setup() {}\n", "Lamp/Lamp.ino")
        #expect(try await titles(project.build()) == [])
        try project.write("#include <ESP32Other.h>\nvoid setup() {}\n", "Lamp/Lamp.ino")
        #expect(try await project.failure()?.code == .libraryNotFound)
    }

    @Test func aRefusalWinsAgainstTheUsersFolderButNotAgainstTheProjects() async throws {
        let refusal = "Wire.h is not in espbench's host core: there is no bus"
        try project.write("#error \"\(refusal)\"\n", "Host/Refused/Wire.h")
        try project.write("", "user/libraries/Wire/Wire.h")
        try project.write("#include <Wire.h>\nvoid setup() {}\n", "Lamp/Lamp.ino")
        #expect(try await project.failure()?.compilerOutput.contains(refusal) == true)
        try project.write("", "libraries/Wire/Wire.h")
        #expect(try await titles(project.build()) == ["Wire"])
    }

    @Test func warningsOfALibrarysHeadersAreNotShown() async throws {
        try project.write("#define STEP 1\n#define STEP 2\n", "libraries/Noisy/Noisy.h")
        try project.write("#include <Noisy.h>\n#define OWN 1\n#define OWN 2\nvoid setup() {}\n", "Lamp/Lamp.ino")
        let warnings = try await project.build().compiled.warnings
        #expect(warnings.contains("Lamp.ino:3:") && !warnings.contains("Noisy.h"), "\(warnings)")
    }

    // MARK: Missing ones

    @Test func aMissingLibraryIsNamedWithLineFoldersAndRemedy() async throws {
        try project.write("", "libraries/Other/Other.h")
        try project.write("void setup() {}\n#include <Adafruit_NeoPixel.h>\n", "Lamp/Lamp.ino")
        let error = try #require(try await project.failure())
        #expect(error.code == .libraryNotFound)
        #expect(error.detail == "Lamp.ino includes Adafruit_NeoPixel.h, which is not there")
        #expect(
            error.compilerOutput == """
                Lamp/Lamp.ino:2:10: error: Adafruit_NeoPixel.h is not in espbench's host core, the sketch or a library
                  searched: libraries, user/libraries (does not exist)
                  put the library into libraries, or install it: arduino-cli lib install NAME \
                (arduino-cli lib search provides:Adafruit_NeoPixel.h shows the name)

                """)
    }

    @Test func aLibraryThatNeedsAMissingOneIsNamed() async throws {
        try project.write(
            "name=Gfx\nversion=1.0.0\ndepends=Bus IO (>=1.0), Other\n", "libraries/Gfx/library.properties")
        try project.write("#include <BusIO.h>\n", "libraries/Gfx/src/Gfx.h")
        try project.write("#include <Gfx.h>\n", "libraries/Gfx/src/Gfx.cpp")
        try project.write("void setup() {}\n", "Lamp/Lamp.ino")
        try project.write("#include <Gfx.h>\n", "Lamp/Tab.cpp")
        try project.write("", "libraries/Other/Other.h")
        let error = try #require(try await project.failure())
        #expect(error.compilerOutput.contains("libraries/Gfx/src/Gfx.h:1:10: error: BusIO.h is not in"), "\(error)")
        #expect(error.compilerOutput.contains("In file included from Lamp/Tab.cpp:1"), "\(error)")
        #expect(error.detail == "library Gfx 1.0.0 includes BusIO.h, which is not there")
        try project.write("", "Lamp/Tab.cpp")
        try project.write("#include <Gfx.h>\n", "libraries/Deep/Deep.h")
        try project.write("", "libraries/Gfx/src/Gfx.h")
        try project.write("#include <BusIO.h>\n", "libraries/Gfx/src/Gfx.cpp")
        try project.write("#include <Gfx.h>\n", "Lamp/Tab.cpp")
        let other = try #require(try await project.failure())
        #expect(other.detail == "library Gfx 1.0.0 includes BusIO.h, which is not there")
        #expect(
            other.compilerOutput.contains(
                "library Gfx 1.0.0 in libraries/Gfx needs it; of the libraries that it depends on these are missing: Bus IO"
            ),
            "\(other)")
        #expect(other.compilerOutput.contains("arduino-cli lib install \"Bus IO\""), "\(other)")
    }

    @Test func aFileElsewhereInTheSketchOrWithOtherCaseIsSuggested() async throws {
        try project.write("", "Lamp/parts/Part.h")
        try project.write("", "libraries/NeoPixel/NeoPixel.h")
        try project.write("#include \"Part.h\"\nvoid setup() {}\n", "Lamp/Lamp.ino")
        let near = try await project.failure()?.compilerOutput ?? ""
        #expect(near.contains("there is Lamp/parts/Part.h"), "\(near)")
        try project.write("#include <Neopixel.h>\nvoid setup() {}\n", "Lamp/Lamp.ino")
        let other = try await project.failure()?.compilerOutput ?? ""
        #expect(other.contains("did you mean NeoPixel.h?"), "\(other)")
    }

    // MARK: Unusual folders

    @Test func aLibraryThatContainsItselfByALinkIsReadOnce() async throws {
        try project.write("name=Loop\n", "libraries/Loop/library.properties")
        try project.write("", "libraries/Loop/src/Loop.h")
        try project.write("int once;\n", "libraries/Loop/src/Loop.cpp")
        try project.link("libraries/Loop/src/again", to: "libraries/Loop/src")
        try project.link("libraries/all", to: "libraries")
        try project.write("#include <Loop.h>\nvoid setup() {}\n", "Lamp/Lamp.ino")
        try project.write("int other;\n", "Lamp/src/x.cpp")
        try project.link("Lamp/src/up", to: "Lamp")
        #expect(try await titles(project.build()) == ["Loop"])
    }

    @Test func malformedPropertiesAreReadAsFarAsTheyGo() async throws {
        try project.write(
            [0xFF, 0xFE] + Array("no equals\n=\nname\n#name=x\n".utf8), "libraries/Odd/library.properties")
        try project.write("", "libraries/Odd/Odd.h")
        try project.write("#include <Odd.h>\nvoid setup() {}\n", "Lamp/Lamp.ino")
        #expect(try await titles(project.build()) == ["Odd"])
    }

    // MARK: Caching

    @Test func anEditCompilesWhatItConcerns() async throws {
        try project.write("int one();\n", "libraries/One/One.h")
        try project.write("#include \"One.h\"\nint one() { return 1; }\n", "libraries/One/One.cpp")
        try project.write("#include <One.h>\nvoid setup() { one(); }\n", "Lamp/Lamp.ino")
        try project.write("int tab;\n", "Lamp/Tab.cpp")
        let first = try await project.build()
        #expect(!first.compiled.isCached)
        #expect(try await project.build().compiled.isCached)

        let objects = try compiledFiles()
        try project.write("#include <One.h>\nvoid setup() { one(); one(); }\n", "Lamp/Lamp.ino")
        let edited = try await project.build()
        #expect(!edited.compiled.isCached)
        #expect(edited.compiled.program != first.compiled.program)
        #expect(try compiledFiles().count == objects.count + 1)

        try project.write("int one(); // changed\n", "libraries/One/One.h")
        #expect(try await !project.build().compiled.isCached)
        try project.write("int one();\n", "libraries/One/One.h")
        try project.write("#include <One.h>\nvoid setup() { one(); }\n", "Lamp/Lamp.ino")
        #expect(try await project.build().compiled.program == first.compiled.program)
    }

    private func compiledFiles() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: project.folder + "/cache/objects"))
    }

    @Test func aLibraryThatAppearsOrDisappearsIsNoticed() async throws {
        try project.write("#define FROM 1\n", "user/libraries/Lib/Lib.h")
        try project.write("#include <Lib.h>\nstatic_assert(FROM == 1);\nvoid setup() {}\n", "Lamp/Lamp.ino")
        _ = try await project.build()
        try project.write("#define FROM 2\n", "libraries/Lib/Lib.h")
        #expect(try await project.failure()?.compilerOutput.contains("static assertion failed") == true)
        try FileManager.default.removeItem(atPath: project.folder + "/libraries/Lib")
        _ = try await project.build()
        try FileManager.default.removeItem(atPath: project.folder + "/user/libraries/Lib")
        #expect(try await project.failure()?.code == .libraryNotFound)
    }

    @Test func aHeaderThatAppearsInALibraryIsNoticed() async throws {
        try project.write("void one();\n", "libraries/One/src/One.h")
        try project.write("name=One\n", "libraries/One/library.properties")
        try project.write(
            "#if __has_include(\"inner/config.h\")\n#include \"inner/config.h\"\n#endif\nvoid one() {}\n",
            "libraries/One/src/One.cpp")
        try project.write("#include <One.h>\nvoid setup() { one(); }\n", "Lamp/Lamp.ino")
        _ = try await project.build()
        try project.write("#error configured\n", "libraries/One/src/inner/config.h")
        #expect(try await project.failure()?.compilerOutput.contains("configured") == true)
    }

    @Test func aLibraryThatIsMadeForAnotherChipIsNoticed() async throws {
        for (name, value) in [("First", 1), ("Second", 2)] {
            try project.write("name=\(name)\narchitectures=esp32\n", "libraries/\(name)/library.properties")
            try project.write("#define FROM \(value)\n", "libraries/\(name)/src/Lib.h")
        }
        try project.write("#include <Lib.h>\nstatic_assert(FROM == 1);\nvoid setup() {}\n", "Lamp/Lamp.ino")
        _ = try await project.build()
        try project.write("name=First\narchitectures=avr\n", "libraries/First/library.properties")
        #expect(try await project.failure()?.compilerOutput.contains("static assertion failed") == true)
    }

    @Test func progressGoesFromNothingToAllOfEachPart() async throws {
        try project.write("", "libraries/One/One.h")
        try project.write("int a;\n", "libraries/One/a.cpp")
        try project.write("#include <One.h>\nvoid setup() {}\n", "Lamp/Lamp.ino")
        let reports = Reports()
        _ = try await project.build(progress: reports.add)
        let all = reports.all.withLock { $0 }
        for subject in [BuildProgress.Subject.hostCore, .sketch("Lamp"), .library("One")] {
            let own = all.filter { $0.subject == subject }
            #expect(own.first?.completed == 0 && own.last.map { $0.completed == $0.total } == true, "\(all)")
        }
        _ = try await project.build(progress: reports.add)
        #expect(reports.all.withLock { $0.count } == all.count)
    }

    private final class Reports: Sendable {
        let all = Mutex<[BuildProgress]>([])
        @Sendable func add(_ progress: BuildProgress) { all.withLock { $0.append(progress) } }
    }
}
