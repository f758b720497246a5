import ArgumentParser
import CommandSupport
import FirmwareBuild

/// `espbench clean`.
struct Clean: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clean",
        abstract: "Remove the cache of builds.",
        discussion: """
            Each build removes cached files that were not used for 30 days or exceed 1 GB. Keys, bonds and the flash of \
            the virtual board are kept. The next build compiles the host core again.
            """)

    @Flag(help: "Print a JSON object with the folder and the bytes that were removed.")
    var json = false

    private struct Record: Encodable {
        var folder: String
        var removed: Int
    }

    func run() throws {
        let environment = Environment.process
        let output = Output(environment)
        try CommandRunner.finish(output) {
            let folder = try environment.folders.builds
            guard let removed = try CachePruner(cache: folder).removeAll() else {
                throw CommandFailure(
                    .benchFault, "a build uses the cache \(folder): nothing was removed; wait for its end",
                    code: "cache.inUse")
            }
            let megabytes = (removed + 500_000) / 1_000_000
            let text = removed == 0 ? "\(folder) is empty" : "removed \(megabytes) MB from \(folder)"
            output.data((json ? try JSONLine.text(Record(folder: folder, removed: removed)) : text) + "\n")
            return .passed
        }
    }
}
