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
}

private final class HostCoreReports: Sendable {
    private let reports = Mutex<[BuildProgress]>([])

    /// The numbers of files that were to be compiled.
    var totals: Set<Int> { Set(reports.withLock { $0 }.filter { $0.subject == .hostCore }.map(\.total)) }
    var hasWaited: Bool { reports.withLock { $0 }.contains { $0.subject == .otherBuild } }

    @Sendable func add(_ progress: BuildProgress) { reports.withLock { $0.append(progress) } }
}
