import Bench
import BenchModel
internal import Console
import LivePage
import SystemPackage

/// The server of a live page for the time of a command: prints the page's address, and ends at Ctrl-C.
struct LiveServing: Sendable {
    private let port: UInt16
    private let token: AccessToken
    private let hub: LiveHub
    private let time = LiveTime(ContinuousClock())
    private let store: TimelineStore
    private let names: GATTNames
    private let output: Output

    /// - Parameters:
    ///   - described: what values mean.
    ///   - isStored: the page shows a stored timeline, and nothing is recorded.
    /// - Throws: ``CommandFailure`` when the token's file cannot be read or created, or a description is none.
    init(
        _ options: LivePageOptions, _ described: DescriptionOption, _ environment: Environment, _ output: Output,
        isStored: Bool = false
    ) throws {
        names = GATTNames(given: try described.given())
        port = options.port
        token = try TokenFile.token(options.tokenFile, output)
        hub = LiveHub(run: "\(environment.wallTime())")
        store =
            isStored
            ? TimelineStore(run: hub.run, descriptions: names.given)
            : TimelineStore(
                run: hub.run, recordingTo: try TemporaryFile.open(in: try environment.stateFolder),
                descriptions: names.given)
        self.output = output
    }

    /// Serves a bench until the user ends it.
    func run(
        _ bench: Bench, _ programs: [LiveProgram], hardware: String, seed: UInt64
    ) async throws {
        let observers: [any RunObserver] = output.isLogged ? [store, LiveLog(output)] : [store]
        let run = try await LiveBenchRun(
            bench, programs, hardware: hardware, seed: seed, observers: observers, names, hub)
        let time = time
        var routes = LiveRoutes()
        routes.addCommands(run.parts)
        try await serve(routes) { try await run.run(time) }
    }

    /// Serves a stored timeline, and what is added to it, until the user ends it.
    ///
    /// - Throws: ``CommandFailure`` when the file cannot be read.
    func show(timeline path: String) async throws {
        let store = store
        try await serve(LiveRoutes(), page: "timeline.html") {
            var changes = FileChanges(of: path)
            do {
                try await store.follow(FilePath(path)) { try await changes.next() }
            } catch let fault as Errno {
                throw CommandFailure(.nothingRan, "\(path) could not be read: \(fault)", code: "timeline.file")
            }
        }
    }

    /// Serves a page with these routes and the timeline's, and runs `body`, which is cancelled when the user ends it.
    private func serve(
        _ routes: LiveRoutes, page: String = "", _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        var routes = routes
        routes.addTimeline(store)
        let server: LiveServer
        do {
            server = try LiveServer(
                port: port, token: token, hub: hub, routes: routes, time: time,
                connectionLimit: OpenFileLimit.raise(leaving: 128))
        } catch {
            throw CommandFailure(.portFailed, "\(error)", code: "live.noPort")
        }
        let interruption = Interruption()
        EndingSignals.watch(interruption)
        defer { EndingSignals.end() }
        output.data(server.address + page + "\n")
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
