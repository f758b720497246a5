import FirmwareBuild
import Foundation
import Testing

/// Sketches built with a minimal host core, which takes a second instead of half a minute.
@Suite struct SketchBuildTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "espbench-build-\(UUID().uuidString)")

    private func write(_ text: String, _ path: String) throws {
        let file = folder.appending(path: path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    private func build() async throws -> BuiltFirmware {
        try write("void setup();\n", "Host/include/Arduino.h")
        try write("#include <Arduino.h>\nint main() { setup(); }\n", "Host/Main.cpp")
        let builder = FirmwareBuilder(
            toolchain: try await HostToolchain(hostCore: folder.path + "/Host"),
            key: try SealingKey.load(path: folder.path + "/key"), cache: folder.path + "/cache")
        return try await builder.build(try Sketch("Flags", firmwareFolder: folder.path))
    }

    @Test func flagsInBuildOptApplyAndChangedFlagsRebuildTheSketch() async throws {
        try write("static_assert(LIMIT == 42);\nvoid setup() {}\n", "Flags/Flags.ino")
        try write("static_assert(LIMIT == 42);\nconst char* text = TEXT;\n", "Flags/Other.cpp")
        try write("-DLIMIT=42\n-DTEXT='\"a b\"'\n", "Flags/build_opt.h")
        #expect(try await !build().compiled.isCached)
        #expect(try await build().compiled.isCached)

        try write("-DLIMIT=43\n-DTEXT='\"a b\"'\n", "Flags/build_opt.h")
        let error = try await #require(throws: FirmwareBuildError.self) { try await build() }
        #expect(error.code == .compilationFailed)
        #expect(error.compilerOutput.contains("static assertion failed"))

        try FileManager.default.removeItem(at: folder.appending(path: "Flags/build_opt.h"))
        #expect(try await #require(throws: FirmwareBuildError.self) { try await build() }.code == .compilationFailed)
        try FileManager.default.removeItem(at: folder)
    }

    @Test(arguments: ["#include <Arduino.h>\n#include \"Arduino.h\"\n", "#define OWN 1\n#include <Arduino.h>\n"])
    func aFileMayIncludeArduinoItself(text: String) async throws {
        try write(text + "void setup() {}\n", "Flags/Flags.ino")
        try write(text, "Flags/Tab.cpp")
        #expect(try await build().compiled.warnings == "")
        try FileManager.default.removeItem(at: folder)
    }

    @Test func aCharIsUnsignedAsOnTheChip() async throws {
        let claim = "static_assert(static_cast<char>(0xFF) == 255);\n"
        try write(claim, "Host/Core.cpp")
        try write(claim + "void setup() {}\n", "Flags/Flags.ino")
        try write(claim, "Flags/Tab.cpp")
        #expect(try await build().compiled.warnings == "")
        try FileManager.default.removeItem(at: folder)
    }

    @Test func aMissingHeaderIsRefusedOnceByNameUnlessTheSketchHasItsOwn() async throws {
        let refusal = "WiFi.h is not in espbench's host core: there is no network"
        try write("#error \"\(refusal)\"\n", "Host/Refused/WiFi.h")
        let use =
            "#include <WiFi.h>\ninline int unused(int x) { int y; return 1; }\n"
            + "inline void connect() { WiFi.begin(); }\n"
        try write(use + "void setup() {}\n", "Flags/Flags.ino")
        try write(use, "Flags/Tab.cpp")
        let output = try await #require(throws: FirmwareBuildError.self) { try await build() }.compilerOutput
        #expect(output.split(whereSeparator: \.isNewline).count { $0.contains(refusal) } == 1, "\(output)")
        #expect(!output.contains("was not declared"), "\(output)")
        #expect(!output.contains("warning"), "\(output)")

        try write("struct Network { void begin() {} };\nstatic Network WiFi;\n", "Flags/src/WiFi.h")
        _ = try await build()
        try FileManager.default.removeItem(at: folder)
    }

    @Test func internalsOfTheHostCoreAreNotAccessibleToSketches() async throws {
        try write("int secret();\n", "Host/Inner/Inner.h")
        try write("#include \"Inner.h\"\nint secret() { return 1; }\n", "Host/Inner/Inner.cpp")
        try write("#include <Inner.h>\nvoid setup() {}\n", "Flags/Flags.ino")
        let error = try await #require(throws: FirmwareBuildError.self) { try await build() }
        #expect(error.compilerOutput.contains("Inner.h is not in espbench's host core"))
        try FileManager.default.removeItem(at: folder)
    }

    @Test func aCallbackWithAnOldSignatureIsWarnedOfAndAnUnusedParameterIsNot() async throws {
        let base = "struct Callbacks { virtual void onConnect(int server, int info) {} };\n"
        let mine = "struct Mine : Callbacks { virtual void onConnect(int server) {} } mine;\n"
        try write(base + mine + "void setup() {}\n", "Flags/Flags.ino")
        let warnings = try await build().compiled.warnings
        #expect(warnings.contains("was hidden") || warnings.contains("hides overloaded virtual"), "\(warnings)")
        #expect(!warnings.contains("unused parameter"), "\(warnings)")
        try FileManager.default.removeItem(at: folder)
    }

    private func project(_ libraries: [String]) -> String {
        """
        profiles:
          esp32:
            fqbn: esp32:esp32:esp32
            platforms:
              - platform: esp32:esp32 (3.3.0)
            libraries: [\(libraries.joined(separator: ", "))]
        """
    }

    @Test func librariesReplacedByTheHostCoreMayBePinned() async throws {
        try write("void setup() {}\n", "Flags/Flags.ino")
        try write(project(["NimBLE-Arduino (2.5.1)", "ESP32Servo (3.2.0)"]), "Flags/sketch.yaml")
        _ = try await build()
        try write(project(["ESP32Servo (1.0.2)"]), "Flags/sketch.yaml")
        let error = try await #require(throws: FirmwareBuildError.self) { try await build() }
        #expect(error.code == .invalidProject)
        #expect(
            error.detail
                == "\(folder.path)/Flags/sketch.yaml:6:17: profile esp32 pins ESP32Servo (1.0.2), which the virtual board's "
                + "host core does not have: it has ESP32Servo 3.x, NimBLE-Arduino 2.5.x, esp32:esp32 3.x")
        try FileManager.default.removeItem(at: folder)
    }

    @Test func anotherPinnedLibraryMustBeThere() async throws {
        try write("void setup() {}\n", "Flags/Flags.ino")
        try write(project(["Pixel Strip (1.2.0)"]), "Flags/sketch.yaml")
        let error = try await #require(throws: FirmwareBuildError.self) { try await build() }
        #expect(error.code == .libraryNotFound)
        #expect(
            error.detail.contains(
                "sketch.yaml:6:17: profile esp32 pins Pixel Strip (1.2.0), which is not there (no folder of libraries is set): "
                    + "install it with arduino-cli lib install \"Pixel Strip@1.2.0\""), "\(error)")
        try write("name=Pixel Strip\nversion=1.0.0\n", "Mine/Pixel/library.properties")
        try write("", "Mine/Pixel/Pixel.h")
        try write("#include <Pixel.h>\nvoid setup() {}\n", "Flags/Flags.ino")
        try write(project(["Pixel Strip (1.2.0)", "{dir: ../Mine/Pixel}"]), "Flags/sketch.yaml")
        #expect(try await build().compiled.libraries.map(\.title) == ["Pixel Strip 1.0.0"])
        try FileManager.default.removeItem(at: folder)
    }

    /// The error for a `sketch.yaml` with `text`, without its path; `nil` when it is accepted.
    private func refusal(of text: String) async throws -> String? {
        try write("void setup() {}\n", "Flags/Flags.ino")
        try write(text, "Flags/sketch.yaml")
        do {
            _ = try await build()
            return nil
        } catch let error as FirmwareBuildError {
            #expect(error.code == .invalidProject)
            return error.detail.replacing("\(folder.path)/Flags/sketch.yaml:", with: "")
        }
    }

    @Test func anInvalidProjectIsRefusedWithAMessage() async throws {
        for (text, reason) in [
            (
                "profiles: {esp32: {platforms: [{fqbn: x}]}}",
                "1:32: a platform of profile 'esp32' lacks the key 'platform'"
            ),
            (
                "profiles: {esp32: {platforms: esp32}}",
                "1:31: expected 'platforms' of profile 'esp32' to be a list, got 'esp32'"
            ),
            ("profiles: [a]", "1:11: expected 'profiles' to be keys with values, got a list"),
            ("just text", "1:1: expected the project to be keys with values, got 'just text'"),
            ("profiles: {a: {libraries: [X]}}", "1:28: expected NAME (VERSION), got 'X'"),
            (
                "profiles: {a: {libraries: [{x: y}]}}",
                "1:28: expected a library to be NAME (VERSION), 'dir' or 'dependency'"
            ),
            ("profiles: {a: {}}\ndefault_profile: b", "2:18: expected 'default_profile' to be one of: a, got 'b'"),
            (
                "profiles: {a: {platforms: [{platform: arduino:avr (1.8.6)}]}}",
                "1:39: profile a is for arduino:avr (1.8.6), the virtual board is an ESP32: "
                    + "name a profile for esp32:esp32 in default_profile"
            ),
        ] {
            let refusal = try await refusal(of: text)
            #expect(refusal == reason)
        }
        let syntax = try #require(try await refusal(of: "profiles: {a: [\n"))
        #expect(syntax.contains("2:1"), "\(syntax)")
        for word in ["DecodingError", "Swift", "CodingKeys", "YamlError"] { #expect(!syntax.contains(word)) }
        try FileManager.default.removeItem(at: folder)
    }

    @Test func aProjectMayOmitWhatIsOptionalForArduinoCLI() async throws {
        for text in [
            "", "default_fqbn: esp32:esp32:esp32\n", "profiles: {esp32: {fqbn: x}}", "unknown: {key: 1}\n",
            project(["ESP32Servo (3.2.0)", "{dependency: NimBLE-Arduino (2.5.1)}"]),
            project([]).replacing(" (3.3.0)", with: ""),
        ] {
            let refusal = try await refusal(of: text)
            #expect(refusal == nil)
        }
        try FileManager.default.removeItem(at: folder)
    }

    @Test func aFolderThatCannotBeCreatedIsNamedWithTheSystemsReason() async throws {
        try write("void setup() {}\n", "Flags/Flags.ino")
        try write("", "cache")
        let error = try await #require(throws: FirmwareBuildError.self) { try await build() }
        #expect(error.code == .fileSystem)
        #expect(error.detail.hasPrefix("the folder \(folder.path)/cache"))
        #expect(error.detail.hasSuffix(" could not be created: Not a directory"), "\(error.detail)")
        try FileManager.default.removeItem(at: folder)
    }
}
