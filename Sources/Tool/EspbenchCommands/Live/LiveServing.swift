import Foundation
import LivePage

/// The server of a live page for the time of a command: prints the page's address, and ends at Ctrl-C.
struct LiveServing: Sendable {
    private let server: LiveServer
    private let output: Output

    /// - Throws: ``CommandFailure`` when the port is taken.
    init(
        port: UInt16, token: AccessToken, hub: LiveHub, routes: LiveRoutes, _ output: Output
    ) throws(CommandFailure) {
        self.output = output
        do {
            server = try LiveServer(
                port: port, token: token, hub: hub, routes: routes, time: LiveTime(ContinuousClock()),
                connectionLimit: OpenFileLimit.raise(leaving: 64))
        } catch {
            throw CommandFailure(.flashFailed, "\(error)", code: "serve.noPort")
        }
    }

    /// Prints the address, and serves until the user ends it. `body` runs meanwhile; what it throws ends it, too.
    func run(_ body: @escaping @Sendable () async throws -> Void) async throws {
        let (signals, continuation) = AsyncStream.makeStream(of: Never.self)
        EndingSignals.watch { _ in continuation.finish() }
        defer { EndingSignals.end() }
        output.data(server.address + "\n")
        try output.checkData()
        // On other threads: a bench that is busy, or stands still, does not keep browsers waiting.
        let serving = Task.detached { [server] in try await server.run() }
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await body()
                    for await _ in signals {}
                }
                try await group.next()
            }
        } catch {
            serving.cancel()
            _ = await serving.result
            throw error
        }
        serving.cancel()
        _ = await serving.result
    }
}
