import FirmwareBuild
import Foundation
import Testing

/// Which NimBLE a sketch is built with, on a minimal host core and with a small folder in place of the library.
@Suite struct NimBLEChoiceTests {
    private let project: TrialProject

    init() throws {
        project = try TrialProject()
        // What each NimBLE has of the host core.
        try project.write("const char* nimble() { return \"built-in\"; }\n", "Host/NimBLE/NimBLE.cpp")
        try project.write(
            "const char* nimble() { return ESPBENCH_NIMBLE_LIBRARY; }\n", "Host/Library/Settings/Settings.cpp")
        try project.write("#include_next <Part.h>\n#define PART 2\n", "Host/Library/include/Part.h")
        try project.write("#define PARTS 1\n", "Host/include/Part.h")
        try project.write(
            "#include <NimBLEDevice.h>\nvoid setup() { exit(kNimBLE); }\n", "Lamp/Lamp.ino")
        try project.write("#pragma once\n#include <stdlib.h>\nvoid setup();\n", "Host/include/Arduino.h")
        try project.write("#pragma once\nenum { kNimBLE = 1 };\n", "Host/NimBLE/include/NimBLEDevice.h")
    }

    /// Writes a folder with the files that every copy of NimBLE-Arduino has.
    private func install(_ folder: String, version: String = "2.5.1", value: Int = 2) throws {
        try project.write("name=NimBLE-Arduino\nversion=\(version)\n", "\(folder)/library.properties")
        try project.write(
            "#pragma once\n#ifdef __cplusplus\nextern \"C\"\n#endif\nint hostValue(void);\n#define kNimBLE hostValue()\n",
            "\(folder)/src/NimBLEDevice.h")
        try project.write(
            "#include <Part.h>\n#include \"NimBLEDevice.h\"\n#ifndef STEP\n#define STEP 0\n#endif\n"
                + "int hostValue(void) { return \(value) + PART - 2 + STEP; }\n",
            "\(folder)/src/nimble/nimble/host/src/ble_hs.c")
    }

    private func build(_ nimble: NimBLEChoice? = nil, folder: String? = nil) async throws -> BuiltFirmware {
        try await project.build(
            options: BuildOptions(nimble: nimble, nimbleFolder: folder.map { "\(project.folder)/\($0)" }))
    }

    @Test func withoutTheLibraryItIsTheHostCoresOwn() async throws {
        let built = try await build()
        #expect(built.nimble == "NimBLE-Arduino 2.5.1 (built-in)")
        #expect(try TrialProject.result(built) == 1)
    }

    @Test(arguments: [
        "libraries/NimBLE-Arduino", "user/libraries/NimBLE-Arduino", "user/libraries/NimBLE-Arduino-2.4.0",
    ])
    func anInstalledLibraryIsUsed(folder: String) async throws {
        try install(folder, version: "2.4.0")
        let built = try await build()
        #expect(built.nimble == "NimBLE-Arduino 2.4.0 (library)")
        #expect(built.compiled.libraries.map(\.title) == ["NimBLE-Arduino 2.4.0"])
        #expect(built.compiled.warnings == "")
        #expect(try TrialProject.result(built) == 2)
        #expect(try await build(.library).compiled.isCached)
    }

    @Test func theHostCoresOwnCanBeChosenAndBothBuildsAreKept() async throws {
        try install("libraries/NimBLE-Arduino")
        #expect(try await TrialProject.result(build(.builtIn)) == 1)
        #expect(try await TrialProject.result(build(.library)) == 2)
        let (first, second) = (try await build(.builtIn), try await build(.library))
        #expect(first.compiled.isCached && second.compiled.isCached)
        #expect(first.nimble == "NimBLE-Arduino 2.5.1 (built-in)" && second.nimble == "NimBLE-Arduino 2.5.1 (library)")
        #expect(first.files != second.files)
    }

    @Test func aNamedFolderComesFirstThenTheProfilesThenTheProjects() async throws {
        for (value, folder) in [(2, "user/libraries/NimBLE-Arduino"), (3, "libraries/Fork"), (4, "Mine"), (5, "Named")]
        {
            try install(folder, value: value)
        }
        #expect(try await TrialProject.result(build()) == 3)
        try project.write(
            "profiles: {esp32: {fqbn: esp32:esp32:esp32, libraries: [{dir: ../Mine}]}}\n", "Lamp/sketch.yaml")
        #expect(try await TrialProject.result(build()) == 4)
        #expect(try await TrialProject.result(build(folder: "Named")) == 5)
        #expect(try await TrialProject.result(build(.builtIn, folder: "Named")) == 1)
    }

    @Test func aProfileMayPinAVersionThatIsInstalled() async throws {
        try project.write(
            "profiles: {esp32: {fqbn: esp32:esp32:esp32, libraries: [NimBLE-Arduino (2.3.0)]}}\n", "Lamp/sketch.yaml")
        let refusal = try await #require(throws: FirmwareBuildError.self) { try await build() }
        #expect(refusal.code == .invalidProject && refusal.detail.contains("pins NimBLE-Arduino (2.3.0)"), "\(refusal)")
        try install("user/libraries/NimBLE-Arduino", version: "2.3.0")
        #expect(try await build().compiled.warnings == "")
        try install("user/libraries/NimBLE-Arduino", version: "2.4.0")
        let warnings = try await build().compiled.warnings
        #expect(
            warnings.contains("warning: profile esp32 pins NimBLE-Arduino (2.3.0), the sketch is built with 2.4.0"),
            "\(warnings)")
    }

    @Test func buildFlagsReachTheLibrary() async throws {
        try install("libraries/NimBLE-Arduino")
        try project.write("-DSTEP=40\n", "Lamp/build_opt.h")
        #expect(try await TrialProject.result(build()) == 42)
    }

    @Test func anEditOfTheSketchCompilesNothingOfTheLibrary() async throws {
        try install("libraries/NimBLE-Arduino")
        _ = try await build()
        let objects = try compiledFiles()
        try project.write("#include <NimBLEDevice.h>\nvoid setup() { exit(kNimBLE + 1); }\n", "Lamp/Lamp.ino")
        #expect(try await TrialProject.result(build()) == 3)
        #expect(try compiledFiles().subtracting(objects).count == 1)
    }

    @Test func sketchesWithTheSameBuildFlagsShareTheLibrary() async throws {
        try install("libraries/NimBLE-Arduino")
        for (name, step) in [("Lamp", 40), ("Torch", 40), ("Spark", 50)] {
            try project.write("-DSTEP=\(step)\n", "\(name)/build_opt.h")
            try project.write("#include <NimBLEDevice.h>\nvoid setup() { exit(kNimBLE); }\n", "\(name)/\(name).ino")
        }
        _ = try await project.build("Lamp")
        let objects = try compiledFiles()
        #expect(try await TrialProject.result(project.build("Torch")) == 42)
        // The sketch and the host core's settings for it, and nothing of the library.
        let more = try compiledFiles()
        #expect(more.subtracting(objects).count == 2)
        #expect(try await TrialProject.result(project.build("Spark")) == 52)
        #expect(try compiledFiles().subtracting(more).count == 3)
    }

    private func compiledFiles() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: project.folder + "/cache/objects"))
    }

    // MARK: Bad input

    @Test func aWantedLibraryThatIsNotThereIsAnErrorThatSaysWhereItWasLookedFor() async throws {
        let error = try await #require(throws: FirmwareBuildError.self) { try await build(.library) }
        #expect(error.code == .nimbleNotFound)
        let folders = "\(project.folder)/libraries (does not exist), \(project.folder)/user/libraries (does not exist)"
        #expect(
            error.detail == "the sketch is to be built with the library NimBLE-Arduino, which is not there: "
                + "searched \(folders); ESPBENCH_NIMBLE is not set")
    }

    @Test func aFolderThatIsNotNimBLEIsRefused() async throws {
        try project.write("name=Pixel\nversion=1.0.0\n", "Other/library.properties")
        try project.write("", "Other/src/Pixel.h")
        try project.write("text", "Empty/notes.txt")
        for (folder, found) in [
            ("Other", "it has the library Pixel 1.0.0"), ("Nowhere", "there is no such folder"),
            ("Empty/notes.txt", "it is a file, not a folder"),
            ("Empty", "expected library.properties and src/NimBLEDevice.h in it"),
        ] {
            let error = try await #require(throws: FirmwareBuildError.self) { try await build(folder: folder) }
            #expect(error.code == .nimbleUnusable)
            let named = "\(project.folder)/\(folder), which ESPBENCH_NIMBLE names"
            #expect(error.detail == "\(named), is not NimBLE-Arduino: \(found)")
        }
    }

    @Test func aLibraryThatLacksAFunctionIsRefusedByItsName() async throws {
        try install("libraries/NimBLE-Arduino")
        try project.write(
            "int lost(void);\nint gone(void);\nint hostValue(void) { return lost() + gone(); }\n",
            "libraries/NimBLE-Arduino/src/nimble/nimble/host/src/ble_hs.c")
        let error = try await #require(throws: FirmwareBuildError.self) { try await build() }
        #expect(error.code == .nimbleUnusable)
        let folder = "\(project.folder)/libraries/NimBLE-Arduino"
        #expect(
            error.detail
                == "the NimBLE-Arduino in \(folder) does not link: neither it nor the host core has lost and 1 more")
        #expect(error.compilerOutput.contains("ble_hs.c:3: error: lost is declared and used but not defined"))
    }

    @Test(arguments: ["NimBLEDevice.h", "nimble/nimble/host/src/ble_hs.c"])
    func anIncompleteLibraryIsRefusedByWhatItLacks(file: String) async throws {
        try install("libraries/NimBLE-Arduino")
        try FileManager.default.removeItem(atPath: "\(project.folder)/libraries/NimBLE-Arduino/src/\(file)")
        let error = try await #require(throws: FirmwareBuildError.self) { try await build() }
        #expect(error.code == .nimbleUnusable)
        let place = "the NimBLE-Arduino in \(project.folder)/libraries/NimBLE-Arduino is incomplete"
        #expect(error.detail.hasPrefix("\(place): it has no src/\(file) ("), "\(error)")
        #expect(try await build(.builtIn).nimble == "NimBLE-Arduino 2.5.1 (built-in)")
    }

    @Test(arguments: [
        ("", "has no version in library.properties"), ("next", "has the version 'next' in library.properties"),
        ("1.3.8", "is 1.3.8: espbench was tried with 1.4 to 2.5"), ("2.6.0", "is 2.6.0, which is newer than"),
        ("3.0.0-dev", "is 3.0.0-dev, which is newer than"),
    ])
    func anotherVersionIsTriedWithAWarning(version: String, text: String) async throws {
        try install("libraries/NimBLE-Arduino", version: version)
        let built = try await build()
        let place = "warning: the NimBLE-Arduino in \(project.folder)/libraries/NimBLE-Arduino \(text)"
        #expect(built.compiled.warnings.hasPrefix(place), "\(built.compiled.warnings)")
        #expect(try TrialProject.result(built) == 2)
        #expect(built.nimble == "NimBLE-Arduino \(version.isEmpty ? "of unknown version" : version) (library)")
    }
}
