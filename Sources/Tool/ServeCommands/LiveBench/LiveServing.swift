import Bench
import BenchModel
internal import BenchReports
import CommandSupport
internal import Console
import FirmwareBuild
import func Foundation.unlink
import LivePage
import SystemPackage

/// The server of a live page for the duration of a command: prints the page's address, and ends at Ctrl-C.
struct LiveServing: Sendable {
    private let port: UInt16
    private let isJSON: Bool
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
        isJSON = options.json
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
        let observers: [any RunObserver] = output.log != nil ? [store, LiveLog(output)] : [store]
        let run = try await LiveBenchRun(
            bench, programs, hardware: hardware, seed: seed, observers: observers.map(WithoutRepeats.init), names, hub)
        let time = time
        var routes = LiveRoutes()
        routes.addCommands(run.parts)
        try await serve(routes) { try await run.run(time) }
    }

    /// Serves a stored timeline, and the lines added to it, until the user ends the command.
    ///
    /// - Throws: ``CommandFailure`` when the file cannot be read.
    func show(timeline path: String) async throws {
        let store = store
        try await serve(LiveRoutes(), page: "timeline.html") {
            var changes = FileChanges(of: path)
            do {
                try await store.follow(FilePath(path)) { try await changes.next() }
            } catch let fault as Errno {
                throw CommandFailure(.badInput, "\(path) could not be read: \(fault)", code: "timeline.file")
            }
        }
    }

    /// Serves a page with these routes and the timeline's, and runs `body`, which is cancelled when the user ends the
    /// command.
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
        output.data(try ServedAddress(address: server.address + page).line(isJSON: isJSON))
        // Without the address no browser could connect.
        try output.checkData()
        // Runs on other threads, so that a busy bench does not delay browsers.
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

/// Writes the events of a live bench to the log of `--log`, except HCI packets, which are too many; the timeline
/// contains them.
final class LiveLog: RunObserver {
    private let output: Output

    init(_ output: Output) { self.output = output }

    var wantsEvents: Bool { true }

    func receive(_ item: RunItem) {
        guard case .event(let event) = item, !(event.payload is HCIPacketObserved) else { return }
        output.record((EventLine.text(event) + "\n").utf8)
    }
}

/// The token of a page's address.
enum TokenFile {
    /// A new token, or the token in the file at `path`; a missing file is created, readable only by this user.
    ///
    /// - Throws: ``CommandFailure`` when the file cannot be used, or other users may access it.
    static func token(_ path: String?, _ output: Output) throws(CommandFailure) -> AccessToken {
        var generator = SystemRandomNumberGenerator()
        let new = AccessToken(using: &generator)
        guard let path else { return new }
        do {
            return try create(path, new)
        } catch Errno.fileExists {
            try PrivateInput.check(path, option: "--token-file")
            PrivateInput.noteIfEmpty(path, with: "a token", output)
            return try read(path, orReplaceWith: new)
        } catch {
            throw failure(path, "\(error)")
        }
    }

    private static func create(_ path: String, _ token: AccessToken) throws -> AccessToken {
        let file = try FileDescriptor.open(
            FilePath(path), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec], permissions: .ownerReadWrite
        )
        do {
            try file.closeAfter { _ = try file.writeAll("\(token)\n".utf8) }
        } catch {
            unlink(path)
            throw error
        }
        return token
    }

    /// The token in the file. An empty file was left by a full disk: the new token is written to it.
    private static func read(
        _ path: String, orReplaceWith new: AccessToken
    ) throws(CommandFailure) -> AccessToken {
        let bytes: [UInt8]
        do {
            bytes = try InputFile.read(path)
        } catch {
            throw failure(path, "\(error)")
        }
        guard !bytes.isEmpty else {
            do {
                let file = try FileDescriptor.open(FilePath(path), .writeOnly, options: .closeOnExec)
                try file.closeAfter { _ = try file.writeAll("\(new)\n".utf8) }
                return new
            } catch {
                throw failure(path, "\(error)")
            }
        }
        let text = String(decoding: bytes.prefix(256), as: UTF8.self)
        guard let token = AccessToken(text.trimmingNewline) else {
            throw failure(
                path,
                "expected a token of \(AccessToken.minimumLength) to 64 letters, digits, '-' and '_', got something else"
            )
        }
        return token
    }

    private static func failure(_ path: String, _ detail: String) -> CommandFailure {
        CommandFailure(.badInput, "the token's file \(path): \(detail)")
    }
}

extension String {
    fileprivate var trimmingNewline: String {
        String(drop { $0.isNewline || $0 == " " }.reversed().drop { $0.isNewline || $0 == " " }.reversed())
    }
}

/// A file that no other program sees, and that disappears when the program ends.
enum TemporaryFile {
    /// Opens a temporary file on the file system of `folder`.
    ///
    /// - Throws: ``CommandFailure`` when it cannot be created.
    static func open(in folder: String) throws -> FileDescriptor {
        try FileTree.makeFolder(folder)
        var generator = SystemRandomNumberGenerator()
        let path = FilePath(folder).appending("live-\(String(generator.next() as UInt64, radix: 16)).timeline")
        let file = try FileDescriptor.open(
            path, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec], permissions: .ownerReadWrite)
        _ = path.withPlatformString { unlink($0) }
        return file
    }
}
