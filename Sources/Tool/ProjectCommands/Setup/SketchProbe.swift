import Bench
internal import BenchExecutor
import BenchModel
internal import BLECentral
package import BLECore
import CommandSupport
import ESPImage
import Synchronization

/// Runs a sketch on a bench, and determines its advertisements, its services, and their responses.
struct SketchProbe: Sendable {
    /// The kind of bench.
    let kind: BenchKind
    /// The same kind, whose board has ``otherAddress``.
    let otherKind: BenchKind
    /// The sketch's image.
    let layout: FlashLayout
    /// The sketch's name.
    let sketch: String

    /// The longest wait for the first advertisement, and the time for collecting further ones.
    private static let advertisingTime = (first: Duration.seconds(10), more: Duration.seconds(2))
    private static let connectionTime = Duration.seconds(5)
    /// The time for which values are awaited after all subscriptions.
    private static let valueTime = Duration.seconds(3)
    /// Services that every host has: Generic Access and Generic Attribute.
    private static let commonServices = [BLEUUID(0x1800), BLEUUID(0x1801)]

    /// The delay of the second run's connection, which makes values that depend on the clock differ.
    private static let delay = Duration.milliseconds(1_100)

    /// The MAC address of the board of the second run: no byte is that of the first run's board.
    static let otherAddress: [UInt8] = [0xC6, 0x4F, 0x33, 0x5A, 0x9D, 0x7C]

    /// The common parts of two runs on boards with different MAC addresses and random numbers, which use the sketch at
    /// different times; without texts that contain a time.
    ///
    /// - Throws: `BenchFailure` when the firmware crashes, or the bench fails.
    func profile() throws -> SketchProfile {
        try profile(on: kind, seed: 0, delay: .zero).common(with: profile(on: otherKind, seed: 1, delay: Self.delay))
            .withoutTimes
    }

    private func profile(on kind: BenchKind, seed: UInt64, delay: Duration) throws -> SketchProfile {
        let executor = BenchExecutor(pace: kind.pace)
        return try executor.run {
            let events = ProbeEvents()
            let session = BenchSession(
                on: try await kind.make(seed, executor), recorder: EventRecorder(observers: [events]))
            await session.start()
            do {
                try await session.flash(layout)
            } catch {
                throw CommandFailure(error, .flashFailed)
            }
            await session.beginCase()
            try await session.restore()
            var profile = SketchProfile(sketch: sketch)
            let central = await session.central(CentralDescription(name: "first"))
            try await hear(&profile, session, central, events)
            if profile.advertises {
                // Begins as soon after the start as a case of a suite.
                await session.beginCase()
                try await session.restore()
                await session.advance(by: delay)
                try await explore(&profile, session, central, events)
            }
            profile.firstLine = events.firstLineOfSketch
            await session.disconnectAll()
            return profile
        }
    }

    /// Collects the sketch's advertisements.
    private func hear(
        _ profile: inout SketchProfile, _ session: BenchSession, _ central: CentralID, _ events: ProbeEvents
    ) async throws {
        let any = AdvertisementFilter()
        do throws(BenchFailure) {
            try await session.scan(for: any, by: central, within: Self.advertisingTime.first)
        } catch {
            guard [.assertion, .timedOut].contains(error.cause) else { throw error }
            return
        }
        // Scan responses are received later, and may contain the name.
        let nobody = AdvertisementFilter(name: "\u{0}")
        try await session.scan(for: nobody, by: central, isExpected: false, within: Self.advertisingTime.more)
        profile.advertises = true
        // A suite requires that one advertisement meets all conditions.
        let fullest = events.advertisements.max {
            ($0.services.count, $0.nameLength) < ($1.services.count, $1.nameLength)
        }
        profile.localName = fullest?.name
        profile.advertised = fullest?.services ?? []
    }

    /// Connects, and uses every characteristic.
    private func explore(
        _ profile: inout SketchProfile, _ session: BenchSession, _ central: CentralID, _ events: ProbeEvents
    ) async throws {
        do throws(BenchFailure) {
            try await session.connect(central, to: AdvertisementFilter(), within: Self.connectionTime)
        } catch {
            guard [.assertion, .timedOut, .linkLost, .hostStack].contains(error.cause) else { throw error }
            return
        }
        var services = try await session.services(of: central).filter { !Self.commonServices.contains($0.uuid) }
            .map { service in
                SketchProfile.Service(
                    uuid: service.uuid,
                    characteristics: service.characteristics.map {
                        SketchProfile.Characteristic(uuid: $0.uuid, properties: $0.properties)
                    })
            }
        // A suite names characteristics by their UUID: only the first of several can be used.
        var known: Set<BLEUUID> = []
        let usable = services.indices.flatMap { service in
            services[service].characteristics.indices.filter {
                known.insert(services[service].characteristics[$0].uuid).inserted
            }.map { (service, $0) }
        }
        for (service, index) in usable {
            let characteristic = services[service].characteristics[index]
            guard characteristic.properties.contains(.read) else { continue }
            let reading = try await Self.outcome({ $0 }) { () async throws(BenchFailure) in
                try await session.read(characteristic.uuid, by: central)
            }
            services[service].characteristics[index].reading = reading
        }
        for (service, index) in usable {
            let characteristic = services[service].characteristics[index]
            guard let kind = characteristic.subscriptionKind else { continue }
            let subscription = try await Self.outcome({ _ in [] }) { () async throws(BenchFailure) in
                try await session.subscribe(to: characteristic.uuid, kind, by: central)
            }
            services[service].characteristics[index].subscription = subscription
        }
        await session.advance(by: Self.valueTime)
        if let failure = await session.failure { throw failure }
        for (service, index) in usable {
            let characteristic = services[service].characteristics[index]
            guard characteristic.subscription != nil else { continue }
            let handle = await session.handle(of: characteristic.uuid, by: central)
            services[service].characteristics[index].sendsValues = events.hasValue(of: handle)
        }
        profile.services = services
    }

    /// The outcome of an operation; `failed` if the sketch has ended the link.
    private static func outcome<Value: Sendable>(
        _ value: (Value) -> [UInt8], of operation: () async throws(BenchFailure) -> OperationOutcome<Value>
    ) async throws(BenchFailure) -> SketchProfile.Outcome {
        let outcome: OperationOutcome<Value>
        do throws(BenchFailure) {
            outcome = try await operation()
        } catch {
            guard !error.cause.isCrash, error.cause != .benchFault else { throw error }
            return .failed
        }
        return switch outcome.result {
        case .success(let got): .value(value(got))
        case .failure(let error):
            switch error.code {
            case .attError(let code): .attError(code)
            default: .failed
            }
        }
    }
}

extension SketchProfile.Characteristic {
    /// The kind of subscription that the characteristic supports.
    var subscriptionKind: Subscription? {
        if properties.contains(.notify) { return .notifications }
        return properties.contains(.indicate) ? .indications : nil
    }
}

/// The events of a probe from which a profile is made.
private final class ProbeEvents: RunObserver {
    private struct State {
        var advertisements: [AdvertisementReceived] = []
        var lines: [String] = []
        var handles: Set<UInt16> = []
    }

    private let state = Mutex(State())

    var wantsEvents: Bool { true }

    func receive(_ item: RunItem) {
        guard case .event(let event) = item else { return }
        state.withLock { state in
            switch event.payload {
            case let advertisement as AdvertisementReceived: state.advertisements.append(advertisement)
            case let line as ConsoleLineReceived: state.lines.append(line.text)
            case let value as NotificationReceived:
                if let handle = value.attribute.handle { state.handles.insert(handle) }
            case let value as IndicationReceived:
                if let handle = value.attribute.handle { state.handles.insert(handle) }
            default: break
            }
        }
    }

    var advertisements: [AdvertisementReceived] { state.withLock(\.advertisements) }

    func hasValue(of handle: UInt16?) -> Bool {
        state.withLock { state in handle.map(state.handles.contains) ?? false }
    }

    /// The first line after the output of the ROM and the bootloader, which ends with the entry point.
    var firstLineOfSketch: String? {
        let lines = state.withLock(\.lines)
        guard let entry = lines.lastIndex(where: { $0.hasPrefix("entry 0x") }) else { return nil }
        return lines[(entry + 1)...].first { !$0.allSatisfy(\.isWhitespace) }
    }
}

extension AdvertisementReceived {
    fileprivate var nameLength: Int { name?.utf8.count ?? 0 }
}

/// The behaviour of a sketch on a bench: the material of a first suite.
package struct SketchProfile: Hashable, Sendable {
    /// A service.
    package struct Service: Hashable, Sendable {
        package var uuid: BLEUUID
        package var characteristics: [Characteristic]

        package init(uuid: BLEUUID, characteristics: [Characteristic]) {
            self.uuid = uuid
            self.characteristics = characteristics
        }
    }

    /// A characteristic, and the results of using it.
    package struct Characteristic: Hashable, Sendable {
        package var uuid: BLEUUID
        package var properties: CharacteristicProperties
        /// The result of reading; `nil`: not read.
        package var reading: Outcome?
        /// The result of subscribing; `nil`: the characteristic has neither notifications nor indications.
        package var subscription: Outcome?
        /// True if the characteristic sent a value after the subscription without a request.
        package var sendsValues = false

        package init(uuid: BLEUUID, properties: CharacteristicProperties) {
            self.uuid = uuid
            self.properties = properties
        }
    }

    /// The outcome of an operation.
    package enum Outcome: Hashable, Sendable {
        /// Success with a value, empty for a subscription; `nil` if the value differs from run to run.
        case value([UInt8]?)
        /// An ATT error.
        case attError(UInt8)
        /// Any other failure.
        case failed
    }

    /// The sketch's name.
    package var sketch: String
    /// The local name that it advertises.
    package var localName: String?
    /// The services that it advertises.
    package var advertised: [BLEUUID] = []
    /// True if it advertises.
    package var advertises = false
    /// The services other than those of every host; `nil` when no connection was possible.
    package var services: [Service]?
    /// The first line that the sketch writes to the console.
    package var firstLine: String?

    package init(sketch: String) {
        self.sketch = sketch
    }

    /// The parts that are the same in this run and in `other`.
    package func common(with other: SketchProfile) -> SketchProfile {
        var profile = self
        if firstLine != other.firstLine { profile.firstLine = nil }
        if localName != other.localName { profile.localName = nil }
        profile.advertised = advertised.filter(other.advertised.contains)
        profile.advertises = advertises && other.advertises
        guard let theirs = other.services else {
            profile.services = nil
            return profile
        }
        profile.services = services.map { services in
            services.compactMap { service in
                guard let match = theirs.first(where: { $0.uuid == service.uuid }),
                    match.characteristics.map(\.uuid) == service.characteristics.map(\.uuid)
                else { return nil }
                return Service(
                    uuid: service.uuid,
                    characteristics: zip(service.characteristics, match.characteristics).map { $0.common(with: $1) })
            }
        }
        return profile
    }
}

extension SketchProfile {
    /// The profile without texts that contain a time: the next build has another `__DATE__` and `__TIME__`, and a sketch
    /// with one more line is ready some milliseconds later.
    package var withoutTimes: SketchProfile {
        var profile = self
        if firstLine.map(Self.hasTime) ?? false { profile.firstLine = nil }
        if localName.map(Self.hasTime) ?? false { profile.localName = nil }
        for service in services?.indices ?? 0..<0 {
            for index in services?[service].characteristics.indices ?? 0..<0 {
                guard case .value(let bytes?) = services?[service].characteristics[index].reading,
                    Self.hasTime(String(decoding: bytes, as: UTF8.self))
                else { continue }
                profile.services?[service].characteristics[index].reading = .value(nil)
            }
        }
        return profile
    }

    /// True for `12:34:56`, for a date such as `Mar  7 2025` or `2025-03-07`, and for `312 ms`.
    private static func hasTime(_ text: String) -> Bool {
        let month = #/\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s+\d{1,2}\s+\d{4}\b/#
        return text.contains(#/\b\d{1,2}:\d{2}:\d{2}\b/#) || text.contains(month)
            || text.contains(#/\b\d{4}-\d{2}-\d{2}\b/#) || text.contains(#/\d\s?(ms|us|µs)\b/#)
    }
}

extension SketchProfile.Characteristic {
    fileprivate func common(with other: Self) -> Self {
        var characteristic = self
        characteristic.sendsValues = sendsValues && other.sendsValues
        if reading != other.reading {
            if case .value = reading, case .value = other.reading {
                characteristic.reading = .value(nil)
            } else {
                characteristic.reading = .failed
            }
        }
        if subscription != other.subscription { characteristic.subscription = .failed }
        return characteristic
    }
}
