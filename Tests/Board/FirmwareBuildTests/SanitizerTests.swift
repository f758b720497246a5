import FirmwareBuild
import Foundation
import Testing

/// Sketches that check themselves with AddressSanitizer and UndefinedBehaviorSanitizer.
@Suite struct SanitizerTests {
    private let project: TrialProject

    init() throws { project = try TrialProject() }

    /// What the program of a build prints as an error, and its exit code.
    private func run(_ built: BuiltFirmware) throws -> (text: String, code: Int32) {
        let process = Process()
        process.executableURL = URL(filePath: built.compiled.symbols)
        let output = Pipe()
        process.standardError = output
        process.environment = ["ASAN_OPTIONS": "detect_leaks=0", "UBSAN_OPTIONS": "print_stacktrace=1"]
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (text, process.terminationStatus)
    }

    private static let overrun = """
        int* block = new int[3];
        volatile int index = 3;
        void setup() { block[index] = 1; }

        """

    @Test func anOverrunOfTheSketchIsFoundWithItsLine() async throws {
        try project.write(Self.overrun, "Lamp/Lamp.ino")
        let plain = try await project.build()
        #expect(!plain.isSanitized)
        #expect(try TrialProject.result(plain) == 0)
        let built = try await project.build(isSanitized: true)
        #expect(built.isSanitized)
        let (text, code) = try run(built)
        #expect(code != 0 && text.contains("AddressSanitizer: heap-buffer-overflow"), "\(text)")
        #expect(text.contains("Lamp.ino:3"), "\(text)")
    }

    @Test func anOverflowOfALibraryIsFoundWithItsLine() async throws {
        try project.write("int twice(int value);\n", "libraries/Twice/Twice.h")
        try project.write(
            "#include \"Twice.h\"\nint twice(int value) { return value * 2; }\n", "libraries/Twice/Twice.cpp")
        try project.write("#include <Twice.h>\nvoid setup() { twice(1 << 30); }\n", "Lamp/Lamp.ino")
        let (text, code) = try await run(project.build(isSanitized: true))
        #expect(code != 0 && text.contains("runtime error: signed integer overflow"), "\(text)")
        #expect(text.contains("Twice.cpp:2:"), "\(text)")
    }

    @Test func theHostCoreIsCheckedToo() async throws {
        try project.write(
            "#include <Arduino.h>\nint values[2];\nint main(int count, char**) { setup(); return values[count + 1]; }\n",
            "Host/Main.cpp")
        try project.write("void setup() {}\n", "Lamp/Lamp.ino")
        let (text, code) = try await run(project.build(isSanitized: true))
        #expect(code != 0 && text.contains("Main.cpp:3"), "\(text)")
    }

    @Test func bothBuildsAreKept() async throws {
        try project.write(Self.overrun, "Lamp/Lamp.ino")
        let first = try await project.build()
        let second = try await project.build(isSanitized: true)
        #expect(first.files != second.files && first.compiled.program != second.compiled.program)
        #expect(try await project.build().compiled.isCached)
        #expect(try await project.build(isSanitized: true).compiled.isCached)
    }

    @Test func aCompilerWithoutThemIsRefusedWithWhatToInstall() async throws {
        try project.write(Self.overrun, "Lamp/Lamp.ino")
        let compiler = try project.script(
            "compiler",
            "for flag; do case $flag in -fsanitize=address*) exit 1;; esac; done\nexec c++ \"$@\"\n")
        #expect(try await !project.build(compilers: [compiler]).isSanitized)
        let error = try await #require(throws: FirmwareBuildError.self) {
            try await project.build(compilers: [compiler], isSanitized: true)
        }
        #expect(error.code == .sanitizerNotFound)
        let claim = "\(compiler) makes no programs with -fsanitize=address,undefined: install g++"
        #expect(error.detail.hasPrefix(claim), "\(error)")
    }

    /// A library in place of NimBLE-Arduino whose file of bonds reads behind an array, in the function with the known fault
    /// and in another one.
    private func installLibrary(version: String) throws {
        let folder = "libraries/NimBLE-Arduino"
        try project.write("name=NimBLE-Arduino\nversion=\(version)\n", "\(folder)/library.properties")
        try project.write(
            "#pragma once\nextern \"C\" int readBonds(void);\nextern \"C\" int readOther(void);\n",
            "\(folder)/src/NimBLEDevice.h")
        try project.write("int host;\n", "\(folder)/src/nimble/nimble/host/src/ble_hs.c")
        try project.write(
            """
            struct bond { int count, key; };
            struct bond bonds[3];
            int number;
            static int
            ble_nvs_restore_sec_keys(void)
            {
                return bonds[number + 3].count;
            }
            int readBonds(void) {
                int count = ble_nvs_restore_sec_keys();
                return count != 0;
            }
            int readOther(void) { return bonds[number + 3].key != 0; }

            """, "\(folder)/src/nimble/nimble/host/store/config/src/ble_store_nvs.c")
    }

    @Test func aKnownFaultOfTheLibraryIsExemptedAndNothingElseOfItsFile() async throws {
        try installLibrary(version: "2.5.1")
        try project.write("#include <NimBLEDevice.h>\nvoid setup() { readBonds(); }\n", "Lamp/Lamp.ino")
        let known = try await run(project.build(isSanitized: true))
        #expect(known.code == 0, "\(known.text)")
        try project.write("#include <NimBLEDevice.h>\nvoid setup() { readOther(); }\n", "Lamp/Lamp.ino")
        let (text, code) = try await run(project.build(isSanitized: true))
        #expect(code != 0 && text.contains("AddressSanitizer: global-buffer-overflow"), "\(text)")
        #expect(text.contains("ble_store_nvs.c:13"), "\(text)")
    }

    @Test func aKnownFaultIsFoundInVersionsThatAreNotNamed() async throws {
        try installLibrary(version: "2.0.3")
        try project.write("#include <NimBLEDevice.h>\nvoid setup() { readBonds(); }\n", "Lamp/Lamp.ino")
        let (text, code) = try await run(project.build(isSanitized: true))
        #expect(code != 0 && text.contains("ble_store_nvs.c:7"), "\(text)")
    }
}
