import Bench
internal import Console
import Foundation
import LivePage

/// The server of a live page for the time of a command: prints the page's address, and ends at Ctrl-C.
struct LiveServing: Sendable {
    private let port: UInt16
    private let token: AccessToken
    private let hub: LiveHub
    private let time = LiveTime(ContinuousClock())
    private let store: TimelineStore
    private let output: Output

    /// - Throws: ``CommandFailure`` when the token's file cannot be read or created.
    init(_ options: LivePageOptions, _ environment: Environment, _ output: Output) throws {
        port = options.port
        token = try TokenFile.token(options.tokenFile)
        hub = LiveHub(run: "\(environment.wallTime())")
        store = TimelineStore(run: hub.run, recordingTo: try TemporaryFile.open(in: environment.stateFolder))
        self.output = output
    }

    /// Serves a bench until the user ends it.
    func run(
        _ bench: Bench, name: String, hardware: String, symbols: (any AddressResolver)?, seed: UInt64
    ) async throws {
        let run = try await LiveBenchRun(
            bench, name: name, hardware: hardware, symbols: symbols, seed: seed, observers: [store], hub)
        let time = time
        try await serve(run.parts) { try await run.run(time) }
    }

    /// Serves the page with these parts, and runs `body`, which is cancelled when the user ends it.
    private func serve(_ parts: LiveBench, _ body: @escaping @Sendable () async throws -> Void) async throws {
        var routes = LiveRoutes()
        routes.addCommands(parts)
        routes.addTimeline(store)
        let server: LiveServer
        do {
            server = try LiveServer(
                port: port, token: token, hub: hub, routes: routes, time: time,
                connectionLimit: OpenFileLimit.raise(leaving: 128))
        } catch {
            throw CommandFailure(.flashFailed, "\(error)", code: "serve.noPort")
        }
        let interruption = Interruption()
        EndingSignals.watch(interruption.request)
        defer { EndingSignals.end() }
        output.data(server.address + "\n")
        // Without the address no browser could connect.
        try output.checkData()
        // On other threads: a bench that is busy does not keep browsers waiting.
        let serving = Task.detached { [store, hub, time] in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await server.run() }
                group.addTask { try await store.publish(to: hub, time: time) }
                defer { group.cancelAll() }
                try await group.next()
            }
        }
        let result: Result<Void, any Error>
        do {
            try await interruption.cancelling(body)
            result = .success(())
        } catch {
            result = interruption.reason == nil ? .failure(error) : .success(())
        }
        serving.cancel()
        _ = await serving.result
        try result.get()
    }
}
