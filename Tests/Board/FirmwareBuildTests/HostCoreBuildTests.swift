import FirmwareBuild
import Foundation
import Synchronization
import Testing

/// The host core in an empty cache.
@Suite struct HostCoreBuildTests {
    private let project: TrialProject

    init() throws {
        project = try TrialProject()
        for name in ["One", "Two"] { try project.write("void setup() {}\n", "\(name)/\(name).ino") }
    }

    @Test func ofTwoBuildsAtOnceOneCompilesTheHostCoreAndSaysSo() async throws {
        for number in 0..<8 { try project.write("#include <vector>\n#include <string>\n", "Host/Part\(number).cpp") }
        let first = HostCoreReports()
        let second = HostCoreReports()
        async let one = project.build("One", progress: first.add)
        async let two = project.build("Two", progress: second.add)
        _ = try await [one, two]
        #expect([first, second].count { !$0.totals.isEmpty } == 1)
        #expect([first, second].allSatisfy { $0.totals.isEmpty || !$0.hasWaited })
    }

    @Test func afterAnInterruptedBuildOnlyWhatIsMissingIsCompiledAndNamed() async throws {
        for number in 3...5 { try project.write("int part\(number);\n", "Host/Part\(number).cpp") }
        let whole = HostCoreReports()
        _ = try await project.build("One", progress: whole.add)
        #expect(whole.totals.count == 1 && whole.totals.allSatisfy { $0 >= 4 })
        let cache = project.folder + "/cache"
        let core = try #require(
            FileManager.default.contentsOfDirectory(atPath: cache).first { $0.hasPrefix("core-") })
        for part in ["Part3.cpp.o", "Part5.cpp.o.mac"] {
            try FileManager.default.removeItem(atPath: "\(cache)/\(core)/\(part)")
        }
        let rest = HostCoreReports()
        _ = try await project.build("Two", progress: rest.add)
        #expect(rest.totals == [2])
        let none = HostCoreReports()
        try project.write("void setup() { }\n", "Two/Two.ino")
        _ = try await project.build("Two", progress: none.add)
        #expect(none.totals.isEmpty && !none.hasWaited)
    }

    /// One file for each kind of definition; a file that is not needed does not even compile.
    @Test func whatTheSketchDoesNotUseIsNotCompiled() async throws {
        let header = """
            #pragma once
            struct Bus { Bus(int port); ~Bus(); int read(int count) const; int operator+(int) const; int port; };
            struct Part { virtual int value(); };
            extern Bus bus;
            extern "C" int plain(int);
            namespace espbench { int inner(); }
            int made();
            void setup();

            """
        try project.write(header, "Host/include/Arduino.h")
        let include = "#include <Arduino.h>\n"
        let files = [
            "Arduino/Members.cpp":
                "Bus::Bus(int port) : port(port) {}\nBus::~Bus() {}\nint Bus::read(int) const { return 1; }\n",
            "Arduino/Operator.cpp": "int Bus::operator+(int other) const { return port + other; }\n",
            "Buses/Variable.cpp": "int plain(int);  // declared only\nBus bus(2);\n",
            "Arduino/Table.cpp": "int Part::value() { return espbench::inner(); }\n",
            "FreeRTOS/Plain.cpp": "extern \"C\" {\n\nint plain(int) { return 4; }\n}\n",
            "Arduino/Inner.cpp": "namespace espbench {\n\nint inner() { return 8; }\n\n}  // namespace espbench\n",
            // No word of the name is in the text.
            "Arduino/Macro.cpp": "#define MAKE(a, b) int a##b() { return 16; }\nMAKE(ma, de)\n",
        ]
        for (path, text) in files { try project.write(include + text, "Host/\(path)") }
        try project.write("int main() { void setup(); setup(); }\n", "Host/Platform/Main.cpp")
        try FileManager.default.removeItem(atPath: project.folder + "/Host/Main.cpp")
        func numberOfObjects(_ body: String) async throws -> Int {
            try project.write("void setup() { \(body) }\n", "One/One.ino")
            _ = try await project.build("One")
            let cache = project.folder + "/cache"
            let names = try FileManager.default.contentsOfDirectory(atPath: cache)
            return try names.filter { $0.hasPrefix("core-") }.flatMap {
                try FileManager.default.contentsOfDirectory(atPath: "\(cache)/\($0)")
            }.count { $0.hasSuffix(".cpp.o") }
        }
        #expect(try await numberOfObjects("") == 1)
        #expect(try await numberOfObjects("plain(1);") == 2)
        #expect(try await numberOfObjects("bus.read(1);") == 4)
        // A virtual table, and what the file with it needs.
        #expect(try await numberOfObjects("Part part; Part* same = &part; same->value();") == 6)
        #expect(try await numberOfObjects("bus + 1;") == 7)
        #expect(try await numberOfObjects("made();") == 8)
        // As in an archive, a sketch's own definition takes precedence.
        let own = "}\nextern \"C\" int plain(int) { return 0; }\nvoid second() { plain(1);"
        #expect(try await numberOfObjects(own) == 8)
    }

    @Test func aFileThatDoesNotCompileIsNamedWhereItIsNeeded() async throws {
        try project.write("#pragma once\nvoid setup();\nint broken();\n", "Host/include/Arduino.h")
        try project.write("int broken() { return missing; }\n", "Host/Arduino/Broken.cpp")
        _ = try await project.build("One")
        try project.write("void setup() { broken(); }\n", "One/One.ino")
        let error = try #require(try await project.failure("One"))
        #expect(error.detail.hasSuffix("could not compile the host core"))
        #expect(error.compilerOutput.contains("Broken.cpp"))
    }
}

private final class HostCoreReports: Sendable {
    private let reports = Mutex<[BuildProgress]>([])

    /// The numbers of files that were to be compiled.
    var totals: Set<Int> { Set(reports.withLock { $0 }.filter { $0.subject == .hostCore }.map(\.total)) }
    var hasWaited: Bool { reports.withLock { $0 }.contains { $0.subject == .otherBuild } }

    @Sendable func add(_ progress: BuildProgress) { reports.withLock { $0.append(progress) } }
}
