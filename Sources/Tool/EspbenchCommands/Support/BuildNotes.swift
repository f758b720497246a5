import FirmwareBuild
import Synchronization

/// Shows how far a build is: a bar on a terminal; elsewhere a line when something begins that takes long.
struct BuildNotes: Sendable {
    private let output: Output
    private let announced = Announced()

    private final class Announced: Sendable {
        let isCoreAnnounced = Mutex(false)
    }

    init(_ output: Output) {
        self.output = output
    }

    @Sendable func show(_ progress: BuildProgress) {
        switch progress.subject {
        case .otherBuild: output.note("waiting for another espbench, which is building the host core")
        case .hostCore:
            let isFirst = announced.isCoreAnnounced.withLock { isAnnounced in
                defer { isAnnounced = true }
                return !isAnnounced
            }
            if isFirst { output.note("building the host core (\(progress.total) files, once)") }
            output.progress("host core", completed: progress.completed, of: progress.total)
        case .library(let name):
            output.progress("library \(name)", completed: progress.completed, of: progress.total)
        case .sketch(let name):
            output.progress(name, completed: progress.completed, of: progress.total)
        }
    }
}
