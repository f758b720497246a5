import ESPImage
import FirmwareBuild
import Foundation
import Testing

/// The data model of sketches: the chip's where the compiler has it, else the machine's.
@Suite struct DataModelTests {
    private let project: TrialProject

    init() throws { project = try TrialProject() }

    /// Whether the machine's compiler makes 32-bit programs, asked without the build.
    private static let hasChipModel: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["c++", "-m32", "-x", "c++", "-o", "/dev/null", "-"]
        let input = Pipe()
        process.standardInput = input
        process.standardError = Pipe()
        guard (try? process.run()) != nil else { return false }
        input.fileHandleForWriting.write(Data("#include <vector>\nint main() {}\n".utf8))
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    /// Claims for C and C++ files; Xtensa's sizes and alignments (GCC for the ESP32, ESP-IDF 5's newlib).
    private static let chipModel = """
        #include <stddef.h>
        #include <stdint.h>
        #include <time.h>
        #ifndef __cplusplus
        #define static_assert _Static_assert
        #define alignof _Alignof
        #endif
        enum Small { kSmall };
        struct Pair { char first; double second; };
        struct Wide { char first; int64_t second; };
        static_assert(sizeof(long) == 4 && sizeof(size_t) == 4 && sizeof(void*) == 4, "pointers");
        static_assert(sizeof(ptrdiff_t) == 4 && sizeof(intptr_t) == 4 && sizeof(enum Small) == 4, "integers");
        static_assert(sizeof(time_t) == 8 && sizeof(double) == 8 && sizeof(long double) == 8, "wide types");
        static_assert(offsetof(struct Pair, second) == 8 && offsetof(struct Wide, second) == 8, "alignment");
        static_assert(sizeof(wchar_t) >= 2 && (char)0xFF == 255, "characters");

        """

    @Test(.enabled(if: hasChipModel, "the compiler makes no 32-bit programs: g++-multilib is not installed"))
    func sketchesAndLibrariesHaveTheChipsSizesAndAlignments() async throws {
        let language = """
            #if __cpp_rtti || !__cpp_exceptions
            #error flags differ from arduino-esp32
            #endif

            """
        try project.write(Self.chipModel + language + "void setup() {}\n", "Lamp/Lamp.ino")
        try project.write(Self.chipModel, "Lamp/tab.c")
        try project.write(Self.chipModel, "Host/Part.cpp")
        try project.write(Self.chipModel, "libraries/Part/part.c")
        try project.write("", "libraries/Part/Part.h")
        try project.write("#include <Part.h>\n", "Lamp/Tab.cpp")
        let built = try await project.build()
        #expect(built.compiled.warnings == "")
        #expect(try TrialProject.result(built) == 0)
        let image = try FirmwareImage(built.layout.regions[2].bytes[...])
        let key = try SealingKey.load(path: project.folder + "/key")
        #expect(try image.hostProgram(key: key)?.abi == "i386-linux")
        #expect(HostProgram.runnableABIs == ["i386-linux", HostProgram.nativeABI])
        // A 32-bit program at a fixed address, whose code is in the ESP32's range.
        let program = try Data(contentsOf: URL(filePath: built.compiled.program))
        let header = [UInt8](program.prefix(28))
        #expect(header[4] == 1 && header[16] == 2)
        let entry = header[24..<28].reversed().reduce(0) { $0 << 8 | Int($1) }
        #expect((0x400D_0000..<0x4040_0000).contains(entry))
    }

    @Test(.enabled(if: hasChipModel, "the compiler makes no 32-bit programs: g++-multilib is not installed"))
    func systemCallsHaveTheMachinesLayout() async throws {
        let pair = "struct Pair { int first; double second; };\n"
        try project.write(pair + "static_assert(sizeof(Pair) == 12 && sizeof(long) == 4);\n", "Host/Platform/Calls.cpp")
        try project.write(pair + "static_assert(sizeof(Pair) == 16);\nvoid setup() {}\n", "Lamp/Lamp.ino")
        _ = try await project.build()
    }

    @Test func withoutA32BitCompilerTheSketchHasTheMachinesSizesAndTheBuildSaysSo() async throws {
        try project.write("static_assert(sizeof(long) == 8);\nvoid setup() {}\n", "Lamp/Lamp.ino")
        try project.write("static_assert(sizeof(void*) == 8);\n", "Lamp/Tab.cpp")
        let compilers = [try project.compilerWithoutChipModel()]
        let built = try await project.build(compilers: compilers)
        let lines = built.compiled.warnings.split(separator: "\n")
        #expect(lines.count == 1, "\(built.compiled.warnings)")
        #expect(lines.first?.hasPrefix("remark: the sketch is compiled 64-bit: long, size_t and pointers") == true)
        let key = try SealingKey.load(path: project.folder + "/key")
        #expect(
            try FirmwareImage(built.layout.regions[2].bytes[...]).hostProgram(key: key)?.abi == HostProgram.nativeABI)
        #expect(try TrialProject.result(built) == 0)
        // Not again before something is compiled.
        let again = try await project.build(compilers: compilers)
        #expect(again.compiled.isCached && again.compiled.warnings == "")
    }

    @Test(.enabled(if: hasChipModel, "the compiler makes no 32-bit programs: g++-multilib is not installed"))
    func aCompilerIsAskedOnceAndAgainAfterARefusal() async throws {
        try project.write("void setup() {}\n", "Lamp/Lamp.ino")
        let log = project.folder + "/log"
        let compiler = try project.script(
            "compiler",
            "case \"$*\" in *espbench-probe*) echo asked >>\(log); [ -e \(project.folder)/yes ] || exit 1;; esac\n"
                + "exec c++ \"$@\"\n")
        func asked() throws -> Int {
            try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").count
        }
        _ = try await project.build(compilers: [compiler])
        _ = try await project.build(compilers: [compiler])
        #expect(try asked() == 2)
        try project.write("", "yes")
        for _ in 0..<3 {
            #expect(try await project.build(compilers: [compiler]).compiled.warnings == "")
        }
        // With and without the C++ library in the program.
        #expect(try asked() == 4)
    }

    @Test func whatASketchAndItsLibrariesComputeIsCountedAndTheHostCoreIsNot() async throws {
        try project.write(
            "unsigned count;\nextern \"C\" void __sanitizer_cov_trace_pc() { count++; }\n", "Host/Runtime/Computing.cpp"
        )
        try project.write("void setup();\nvoid work(int times);\n", "Host/include/Arduino.h")
        try project.write(
            "#include <Arduino.h>\nextern unsigned count;\nvolatile int steps;\n"
                + "void work(int times) { while (times-- > 0) steps = steps + 1; }\n"
                + "int main() { setup(); return count > 200 ? 200 : count; }\n", "Host/Main.cpp")
        try project.write("void setup() { work(1000); }\n", "Lamp/Lamp.ino")
        #expect(try await (1...10).contains(TrialProject.result(project.build())))
        let loop = "volatile int turns;\nvoid spin() { for (int i = 0; i < 150; i++) turns = turns + 1; }\n"
        try project.write(loop + "void setup() { spin(); }\n", "Lamp/Lamp.ino")
        #expect(try await (150...199).contains(TrialProject.result(project.build())))
        try project.write(loop, "libraries/Spin/Spin.cpp")
        try project.write("void spin();\n", "libraries/Spin/Spin.h")
        try project.write("#include <Spin.h>\nvoid setup() { spin(); }\n", "Lamp/Lamp.ino")
        #expect(try await (150...199).contains(TrialProject.result(project.build())))
    }
}
