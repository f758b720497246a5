import FirmwareBuild
import Synchronization
import Testing

/// The host core in an empty cache.
@Suite struct HostCoreBuildTests {
    @Test func ofTwoBuildsAtOnceOneCompilesTheHostCore() async throws {
        let project = try TrialProject()
        for number in 0..<8 { try project.write("#include <vector>\n#include <string>\n", "Host/Part\(number).cpp") }
        for name in ["One", "Two"] { try project.write("void setup() {}\n", "\(name)/\(name).ino") }
        let first = HostCoreReports()
        let second = HostCoreReports()
        async let one = project.build("One", progress: first.add)
        async let two = project.build("Two", progress: second.add)
        _ = try await [one, two]
        #expect([first, second].count(where: \.hasCompiled) == 1)
    }
}

private final class HostCoreReports: Sendable {
    private let completed = Atomic(0)

    /// A build that waits reports only that nothing is compiled.
    var hasCompiled: Bool { completed.load(ordering: .relaxed) > 0 }

    @Sendable func add(_ progress: BuildProgress) {
        guard progress.subject == .hostCore else { return }
        completed.add(progress.completed, ordering: .relaxed)
    }
}
