import FirmwareBuild
import Foundation
import Testing

/// Sources that never end, and links that lead out of the sketch: a build ends, with what is wrong.
@Suite struct EndlessSourceTests {
    private let project: TrialProject

    init() throws {
        project = try TrialProject()
        try project.write("void setup() {}\n", "Lamp/Lamp.ino")
    }

    private func limits(_ change: (inout ProgramLimits) -> Void) -> ProgramLimits {
        var limits = ProgramLimits()
        change(&limits)
        return limits
    }

    private func makePipe(_ path: String) throws -> String {
        let path = "\(project.folder)/\(path)"
        try #require(mkfifo(path, 0o600) == 0)
        return path
    }

    @Test("a device or a pipe that a flag includes is refused", arguments: [true, false])
    func includedByAFlag(isDevice: Bool) async throws {
        let path = isDevice ? "/dev/zero" : try makePipe("Lamp/pipe")
        try project.write("-DA=1\n-include \(isDevice ? path : "pipe")\n", "Lamp/build_opt.h")
        let error = try #require(try await project.failure())
        #expect(error.code == .invalidFlags)
        #expect(error.detail.hasPrefix("Lamp/build_opt.h:2: "), "\(error)")
        #expect(error.detail.contains("\" (a device, a pipe or a socket): remove it"), "\(error)")
    }

    @Test func aDeviceThatIsIncludedEndsAtTheLimitOfMemory() async throws {
        try project.write("#include \"/dev/zero\"\nvoid setup() {}\n", "Lamp/Lamp.ino")
        let error = try #require(try await project.failure(limits: limits { $0.memory = 300 }))
        #expect(error.code == .compilationFailed)
        #expect(
            error.detail.contains(" was ended at Lamp.ino: expected it to need at most 300 MB of memory: is a device"),
            "\(error)")
    }

    @Test func aPipeThatIsIncludedEndsAtTheLimitOfTime() async throws {
        // With the core in the cache, the compiler of the sketch is the only one that runs.
        _ = try await project.build()
        let pipe = try makePipe("pipe")
        try project.write("#include \"\(pipe)\"\n", "Lamp/Lamp.ino")
        let clock = PipeClock(path: pipe)
        let error = try #require(
            try await project.failure(
                limits: limits {
                    $0.time = .seconds(1000)
                    $0.clock = clock
                }))
        #expect(error.detail.contains(" was ended at Lamp.ino: expected it to need at most 1000 s: is"), "\(error)")
    }

    /// A clock whose sleeps end when somebody reads from a pipe, who then waits.
    private struct PipeClock: Clock {
        let path: String
        let minimumResolution = Duration.zero
        var now: ContinuousClock.Instant { .now }

        func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
            // The writing end stays open: the reader shall not come to an end.
            while open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC) < 0 { try await Task.sleep(for: .milliseconds(5)) }
        }
    }

    @Test func anEndlessComputationEndsAtTheLimitOfProcessorTime() async throws {
        try project.write(
            "constexpr int f() { unsigned n = 0; for (;;) n++; return 1; }\nstatic_assert(f());\n", "Lamp/Other.cpp")
        try project.write(
            "-fconstexpr-loop-limit=2147483647 -fconstexpr-ops-limit=999999999999\n", "Lamp/build_opt.h")
        let error = try #require(try await project.failure(limits: limits { $0.processorTime = 1 }))
        #expect(
            error.detail.contains("at Lamp/Other.cpp: expected it to need at most 1 s of processor time"), "\(error)")
    }

    @Test func moreOutputThanCanBeKeptIsNamed() async throws {
        let levels = (1...5).map { "#define A\($0)" + String(repeating: " A\($0 - 1)", count: 10) + "\n" }
        let name = String(repeating: "a", count: 50)
        try project.write("#define A0 \(name)\n\(levels.joined())void setup() { A5; }\n", "Lamp/Lamp.ino")
        let error = try #require(try await project.failure(limits: limits { $0.output = 2 }))
        #expect(error.detail.contains("at Lamp.ino: expected it to need at most 2 MB of output"), "\(error)")
    }

    @Test(
        "what is named like a source must be a file",
        arguments: ["Lamp/a.cpp", "Lamp/b.h", "Lamp/c.ino", "Lamp/src/d.c"])
    func pipes(_ path: String) async throws {
        try project.write("", "Lamp/src/x.h")
        _ = try makePipe(path)
        let error = try #require(try await project.failure())
        #expect(error.detail == "\(path): expected a file, got a device, a pipe or a socket")
        try FileManager.default.removeItem(atPath: "\(project.folder)/\(path)")
        try project.link(path, to: "nowhere")
        let broken = try #require(try await project.failure())
        #expect(broken.detail == "\(path): expected a file, got a symbolic link to what is not there")
    }

    @Test func aLinkToAllFilesOfTheMachineIsRefused() async throws {
        try FileManager.default.createSymbolicLink(
            atPath: project.folder + "/Lamp/src", withDestinationPath: "/usr")
        let error = try #require(try await project.failure())
        #expect(error.detail.hasPrefix("Lamp/src: expected at most 10000 files below it, got more, the last ones in "))
        #expect(error.detail.hasSuffix(": does a symbolic link lead out of the project?"), "\(error)")
    }

    /// As arduino-cli and PlatformIO follow them.
    @Test func linksOutOfTheSketchAreFollowed() async throws {
        try project.write("int number();\n", "Shared/number.h")
        try project.write("#include \"number.h\"\nint number() { return 3; }\n", "Shared/number.cpp")
        try project.write("#pragma once\nconstexpr int more = 4;\n", "Other/more.h")
        try project.write("", "Lamp/src/x.h")
        try project.link("Lamp/src/shared", to: "Shared")
        try project.link("Lamp/more.h", to: "Other/more.h")
        try project.write(
            "#include <cstdlib>\n#include \"more.h\"\n#include \"src/shared/number.h\"\n"
                + "void setup() { exit(number() + more); }\n", "Lamp/Lamp.ino")
        #expect(try await TrialProject.result(project.build()) == 7)
        // A change of what a link leads to is one of the sketch.
        try project.write("#pragma once\nconstexpr int more = 5;\n", "Other/more.h")
        #expect(try await TrialProject.result(project.build()) == 8)
        try project.write("#include \"number.h\"\nint number() { return 1; }\n", "Shared/number.cpp")
        #expect(try await TrialProject.result(project.build()) == 6)
    }

    @Test func theUnfinishedFilesOfAKilledBuildAreRemovedByTheNext() async throws {
        _ = try await project.build()
        let cache = project.folder + "/cache"
        let object = try #require(FileManager.default.contentsOfDirectory(atPath: cache + "/objects").first)
        let left = ["objects/\(object).77-0.new", "objects/\(object).77-0.new.d", "Lamp.ino.cpp.1-12.new.cpp"]
        let kept = ["objects/new", "objects/x.new", "x.1-2-3.new", "x.1-2.new.a.b"]
        for path in left + kept { try project.write("", "cache/\(path)") }
        // A build that uses the cache at the same time may be writing them.
        let other = open(cache + "/lock", O_RDWR)
        #expect(flock(other, LOCK_SH) == 0)
        try project.write("void setup() { }\n", "Lamp/Lamp.ino")
        #expect(try await !project.build().compiled.isCached)
        #expect(left.allSatisfy { FileManager.default.fileExists(atPath: "\(cache)/\($0)") })
        close(other)
        try project.write("void setup() {  }\n", "Lamp/Lamp.ino")
        #expect(try await !project.build().compiled.isCached)
        let there = (left + kept).filter { FileManager.default.fileExists(atPath: "\(cache)/\($0)") }
        #expect(there == kept)
    }
}
