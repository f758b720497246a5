import ArgumentParser
internal import BenchExecutor
import BenchModel
internal import BLECentral
internal import BLECore
internal import BLEDescriptions
import BoardConsole
import CommandSupport
import MonotonicTime

/// `espbench notify`.
struct Notify: ModalCommand {
    static let configuration = CommandConfiguration(
        commandName: "notify",
        abstract: "Print what a Bluetooth peer notifies.",
        discussion: """
            Subscribes to notifications, or to indications of a characteristic without notifications, and prints the \
            values as they come, until --count, --for or Ctrl-C. --write writes on the same connection after \
            subscribing, so that the answers to a command are shown. With --restore, a command continues an earlier one \
            of the same name that was killed, or ended by a closed terminal, SIGTERM or a lost connection: it connects to \
            the same peer without a search. After a command that ended by --count, --for, Ctrl-C or a mistake, the next \
            one searches again.
            """)

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("End after this many values; with --for: exit code 12 if there were fewer."),
        transform: NumberOption.within(1...Int.max))
    var count: Int?

    @Option(
        name: .customLong("for"), help: ArgumentHelp("End after this time.", valueName: "time"),
        transform: TimeOption.duration)
    var time: Duration?

    @Option(
        name: .customLong("write"),
        help: ArgumentHelp(
            "After subscribing, write this value to another characteristic: \(WrittenValue.help). Repeatable.",
            valueName: "attribute=value"))
    var writes: [String] = []

    @Flag(help: "Subscribe to indications even if the characteristic has notifications.")
    var indications = false

    @Option(
        name: .customLong("as"), help: ArgumentHelp(ShownValue.help, valueName: "kind"),
        transform: ShownValue.init(option:))
    var kind: ShownValue = .automatic

    @Flag(help: "Print a line with a JSON object for each value; its time is in seconds since the subscription.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "Store the connection and the subscriptions under this name, and restore those stored before.",
            valueName: "name"))
    var restore: String?

    @OptionGroup var described: DescriptionOption

    @OptionGroup var options: PeerOptions

    @OptionGroup var logging: LogOptions

    @Argument(help: PeerOptions.peer)
    var peer: String

    @Argument(
        help: ArgumentHelp(
            "What to subscribe to: UUIDs, their first digits, assigned names, handles, SERVICE/CHARACTERISTIC.",
            valueName: "characteristic"))
    var characteristics: [String]

    func validate() throws {
        for write in writes where !write.contains("=") {
            throw ValidationError("--write expects ATTRIBUTE=VALUE, got '\(write)'.")
        }
        try kind.check(json: json)
    }

    var unusedOptions: [UnusedOptions] { kind.unusedOptions }

    func run() throws {
        ClosedPipe.letWritesFail()
        let environment = Environment.process
        let output = Output(environment)
        let command = self
        try PeerSession.run(options.central, peer: options, log: (logging, "notify"), environment, output) { session in
            try await command.run(session, environment, output)
        }
    }

    private func run(_ session: PeerSession, _ environment: Environment, _ output: Output) async throws {
        let descriptions = try described.all()
        let selectors = try characteristics.map { try AttributeSelector($0) }
        let writes = try self.writes.map { try Self.write($0) }
        let central = session.central
        let peripheral =
            if let restore {
                try await session.connect(
                    to: peer, within: options.timeout, keptAs: restore, in: environment.stateFolder + "/restoring",
                    output)
            } else {
                try await session.connect(to: peer, within: options.timeout).0
            }
        let services = try await session.services(of: peripheral)
        let places = try session.find(selectors, in: services)
        let targets = zip(try session.find(writes.map(\.attribute), in: services), writes.map(\.value))
        let subscriptions = try places.map { try subscription(to: $0) }
        // Determined before the subscription, since a peer may send notifications at once.
        let dropped = await central.droppedCount
        let values = try await peripheral.notifications(keeping: PeerSession.bufferSize)
        for (place, subscription) in zip(places, subscriptions) {
            let characteristic = place.characteristic
            try await session.step("subscribing to \(place.title)") { () async throws(CentralError) in
                try await central.subscribe(
                    subscription, to: characteristic.value, characteristic.uuid, of: peripheral.id)
            }
        }
        let start = central.executor.now
        let showing = Task(executorPreference: central.executor) {
            await show(values, of: places, peripheral, services, descriptions, since: start, output)
        }
        let alarm = time.map { time in central.executor.schedule(at: start.advanced(by: time)) { showing.cancel() } }
        defer { showing.cancel() }
        let (shown, failure) = try await withTaskCancellationHandler {
            do {
                for (place, value) in targets { try await session.write(value, to: place, of: peripheral) }
                session.begin("waiting for values")
            } catch {
                // Ctrl-C is the usual end from the subscription on.
                guard Task.isCancelled else { throw error }
            }
            return await showing.value
        } onCancel: {
            showing.cancel()
        }
        alarm.map(central.executor.cancel)
        if shown != count { try await session.checkNothingDropped("values", after: dropped) }
        if Task.isCancelled {
            // Fewer values than --count asks for are not a success.
            if let count, shown < count, !output.isDataLost { throw CancellationError() }
            return
        }
        if let failure, shown != count { throw await session.loss() ?? failure }
        guard let count, shown < count, !output.isDataLost else { return }
        throw CommandFailure(
            .timedOut, "expected \(count) value\(count == 1 ? "" : "s") within \(time?.brief ?? ""), got \(shown)",
            code: "central.notifyTimedOut")
    }

    /// Shows values until the wanted number was received, the stream ends, or the task is cancelled; returns the number
    /// of values and the failure that ended the stream, e.g. a lost connection.
    private func show(
        _ values: AsyncThrowingStream<ReceivedValue, any Error>, of places: [FoundAttribute],
        _ peripheral: Peripheral, _ services: [DiscoveredService], _ descriptions: [PeripheralDescription],
        since start: MonotonicInstant,
        _ output: Output
    ) async -> (shown: Int, failure: (any Error)?) {
        var interpreter = ValueInterpreter(descriptions, services: services.map(\.uuid))
        let screen = MonitorScreen(output, isThreaded: true)
        var shown = 0
        var failure: (any Error)?
        do {
            for try await value in values {
                guard let place = places.first(where: { $0.characteristic.value == value.attribute }) else { continue }
                let time = start.duration(to: value.time)
                let isFull = await Self.fillsPDU(value, peripheral)
                screen.write(
                    try line(value, place, &interpreter, since: time, isOne: places.count == 1, isFull: isFull))
                shown += 1
                await screen.waitForRoom()
                if shown == count || output.isDataLost { break }
            }
        } catch {
            failure = error
        }
        await screen.flush()
        return (shown, failure)
    }

    /// True if no longer value fits into a notification with the MTU of the connection: the peer may have cut it (Core
    /// 5.4, Vol 3 Part F 3.4.7.1).
    private static func fillsPDU(_ value: ReceivedValue, _ peripheral: Peripheral) async -> Bool {
        guard value.value.count >= 20, let mtu = try? await peripheral.mtu else { return false }
        return value.value.count == mtu - 3
    }

    private static func write(_ text: String) throws -> (attribute: AttributeSelector, value: WrittenValue) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (try AttributeSelector(String(parts[0])), try WrittenValue(parts.dropFirst().map(String.init)))
    }

    private func subscription(to place: FoundAttribute) throws -> Subscription {
        let properties = place.characteristic.properties
        guard place.descriptor == nil, !properties.isDisjoint(with: [.notify, .indicate]) else {
            throw CommandFailure(
                .peerRefused, "\(place.title) neither notifies nor indicates", code: "central.notNotifying")
        }
        guard !indications || properties.contains(.indicate) else {
            throw CommandFailure(
                .peerRefused, "\(place.title) notifies, but does not indicate", code: "central.notNotifying")
        }
        return indications || !properties.contains(.notify) ? .indications : .notifications
    }

    private func line(
        _ value: ReceivedValue, _ place: FoundAttribute, _ interpreter: inout ValueInterpreter,
        since time: Duration, isOne: Bool, isFull: Bool
    ) throws -> [UInt8] {
        guard json else {
            let title = isOne || kind == .raw ? "" : "\(place.title): "
            var line = Array(title.utf8) + kind.output(value.value, interpreter.text(value.value, of: place))
            if isFull, kind != .raw {
                line.removeLast()
                line += Array("  (\(value.value.count) bytes, all that the MTU permits: it may be cut)\n".utf8)
            }
            return line
        }
        var record = ValueRecord(place, value.value, &interpreter)
        // Computed in whole nanoseconds first, since a sum of two floating-point numbers would have meaningless digits.
        let (seconds, attoseconds) = time.components
        record.time = Double(seconds * 1_000_000_000 + attoseconds / 1_000_000_000) / 1e9
        record.isIndication = value.isIndication
        if isFull { record.mayBeCut = true }
        return Array((try JSONLine.text(record) + "\n").utf8)
    }
}
