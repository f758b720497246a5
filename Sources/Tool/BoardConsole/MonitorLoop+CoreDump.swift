import CommandSupport
internal import Console
import ESPChips
import FirmwareBuild

extension MonitorLoop {
    /// The most core dumps that a session stores: a board that crashes at each start may print one every few seconds.
    private static let maximumCoreDumps = 16

    /// Stores a core dump that has ended in a file for esp-coredump, and explains it.
    mutating func show(_ step: CoreDumpCollector.Step) async {
        switch step {
        case .other, .part: break
        case .abandoned(let reason): note("--- \(reason)")
        case .end(let lines):
            // Before it is decoded: whatever fails there, the core dump is kept.
            store(lines)
            do throws(CoreDump.Fault) {
                let dump = try CoreDump(base64: lines)
                let count = "\(dump.taskCount) task\(dump.taskCount == 1 ? "" : "s")"
                let reason = dump.reason.map { ": \($0)" } ?? ""
                note("--- core dump of \(dump.chip.map { "the \($0.name)" } ?? "a chip") with \(count)\(reason)")
                for line in await crashes.lines(of: dump.tasks, digest: dump.digest) { note(line) }
                if dump.taskCount > dump.tasks.count {
                    note("--- and \(dump.taskCount - dump.tasks.count) more tasks")
                }
            } catch {
                note("--- the core dump cannot be decoded: \(error)")
            }
        }
    }

    private mutating func store(_ lines: [String]) {
        storedCoreDumps += 1
        guard storedCoreDumps <= Self.maximumCoreDumps else {
            return note("--- not stored: \(Self.maximumCoreDumps) core dumps have been stored")
        }
        let path = "espbench-core-\(now(marks: ("", "-", ""))).b64"
        do throws(CommandFailure) {
            try NewFile.write(lines.joined(separator: "\n") + "\n", to: path, shown: path)
            note("--- stored in \(path): esp-coredump info_corefile --core-format b64 --core \(path) PROGRAM.elf")
        } catch {
            note("--- the core dump could not be stored: \(error.message)")
        }
    }
}
