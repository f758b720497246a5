internal import BLECentral
internal import BLEClients
internal import BenchExecutor
import BenchModel
import MonotonicTime
internal import SourceText

/// What happens to a serial line over BLE, in notes for its user.
enum BLESerialNotes {
    /// Connects; returns the name of the line in messages.
    ///
    /// - Throws: ``CommandFailure`` when there will be no connection.
    ///
    /// - Parameters:
    ///   - noun: the board in messages.
    ///   - timeout: the longest time until the first connection; `nil`: as long as is tried.
    static func connect(
        _ serial: BLESerial, _ noun: String, within timeout: Duration?, on executor: BenchExecutor, _ output: Output
    ) async throws -> String {
        let events = await serial.events()
        let (firsts, first) = AsyncStream.makeStream(of: Result<String, any Error>.self)
        // It ends with the command.
        Task { await follow(events, noun, output, first) }
        if let timeout {
            executor.schedule(at: executor.now.advanced(by: timeout)) {
                let late = CommandFailure(
                    .timedOut, "no \(noun) was connected within \(timeout.brief)", code: "serial.timedOut")
                first.yield(.failure(late))
            }
        }
        await serial.connect()
        for await result in firsts { return try result.get() }
        throw CancellationError()
    }

    private static func follow(
        _ events: AsyncStream<BLESerialEvent>, _ noun: String, _ output: Output,
        _ first: AsyncStream<Result<String, any Error>>.Continuation
    ) async {
        var name = "board"
        var isFirst = true
        for await event in events {
            switch event {
            case .opened(let peer, let text, let service, let chunk):
                name = text.map { "\($0.printable) (\(peer))" } ?? "\(peer)"
                output.note("--- connected to \(name), \(service.name), \(chunk) bytes at a time")
                first.yield(.success(name))
                isFirst = false
            case .link(let link):
                do throws(CommandFailure) {
                    try link.checkGoesOn(noun)
                    if let note = text(link, isFirst: isFirst) { output.note("--- \(note)") }
                } catch {
                    if isFirst { first.yield(.failure(error)) }
                }
            case .over: first.finish()
            default:
                if let note = loss(event) { output.note("--- \(note)") }
            }
        }
    }

    private static func text(_ link: ClientLink, isFirst: Bool) -> String? {
        switch link {
        case .disconnected: isFirst ? nil : "disconnected"
        case .connecting(let number):
            isFirst ? (number == 1 ? nil : "connecting, try \(number)") : "connecting again, try \(number)"
        case .searching: isFirst ? "searching" : nil
        default: nil
        }
    }

    private static func loss(_ event: BLESerialEvent) -> String? {
        switch event {
        case .unconfirmed(let count):
            "\(count) bytes were on their way: the board may have lost them, and they are not sent again"
        case .overflowBegan: "nobody reads: what is received from now on is lost"
        case .overflow(let count): "\(count) received bytes were lost, since nobody read them"
        case .boardLost(let fromClient, let fromUART):
            "the board has lost \(fromClient) bytes for its UART and \(fromUART) bytes of its UART"
        case .unsent(let count): "\(count) bytes were not sent"
        case .link, .opened, .over: nil
        }
    }
}
