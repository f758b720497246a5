internal import BLECore
import Bench
import BenchSuites

/// The text of a first suite for a sketch: what the sketch has shown on a bench, with comments that explain the steps.
package struct FirstSuite {
    private let profile: SketchProfile
    private let names: SuiteNames

    /// A suite from what a sketch has shown.
    package init(_ profile: SketchProfile) {
        self.profile = profile
        names = SuiteNames(profile)
    }

    /// The suite's name: suites take no control characters.
    private var name: String {
        String(
            profile.sketch.map { $0.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } ? $0 : "_" }
        )
    }

    /// The YAML text.
    package var text: String {
        var lines = [
            "# The first suite of \(YAMLText.scalar(profile.sketch)), written by 'espbench init' from what the sketch showed on the virtual bench.",
            "# It is yours: rename, add, delete. 'espbench help suites' describes all steps.",
            "suite: \(YAMLText.scalar(name))",
        ]
        lines += uuids + ["cases:"] + starts
        if profile.advertises { lines += advertising }
        if let services = profile.services, !services.isEmpty { lines += attributes(services) }
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: Parts

    private var uuids: [String] {
        let named = names.all.filter { $0.name != $0.uuid.description }
        guard !named.isEmpty else { return [] }
        return ["# Names for UUIDs; the steps below use them.", "uuids:"]
            + named.map { "  \(YAMLText.scalar($0.name)): \(YAMLText.quoted($0.uuid.description))" }
    }

    private var starts: [String] {
        let head = [
            "  # Every case begins with a freshly flashed and powered board.", "  - name: starts", "    steps:",
        ]
        guard let line = profile.firstLine.flatMap({ YAMLText.template($0) }) else {
            return head + ["      # A crash of the firmware fails a case at once.", "      - advance: 5 s"]
        }
        return head + [
            "      # A line of the console: the whole line, or /…/ for a part of it.",
            "      - expect: {console: \(line), within: 5 s}",
        ]
    }

    /// What `scan` and `connect` look for.
    private var peer: String {
        var parts: [String] = []
        if let service = profile.advertised.first {
            let services = profile.advertised.map { YAMLText.scalar(names.name(of: $0)) }
            parts.append(
                services.count == 1
                    ? "advertising: \(YAMLText.scalar(names.name(of: service)))"
                    : "advertising: [\(services.joined(separator: ", "))]")
        }
        if let name = profile.localName, !name.isEmpty { parts.append("name: \(YAMLText.scalar(name))") }
        return parts.joined(separator: ", ")
    }

    private var advertising: [String] {
        // A scan needs something to look for.
        guard !peer.isEmpty else { return [] }
        return [
            "  - name: advertises", "    steps:", "      # One advertisement has to have all of it.",
            "      - scan: {\(peer), within: 10 s}",
        ]
    }

    private func attributes(_ services: [SketchProfile.Service]) -> [String] {
        guard !peer.isEmpty else { return [] }
        let comparable = Self.comparable(services)
        var lines = [
            "  - name: \(comparable.isEmpty ? "accepts a connection" : "has its services")", "    steps:",
            "      - connect: {\(peer), within: 10 s}",
        ]
        if !comparable.isEmpty {
            lines += ["      # Exactly these characteristics with exactly these properties.", "      - discover:"]
        }
        for service in comparable {
            let name = YAMLText.scalar(names.name(of: service.uuid))
            lines.append("          \(name):" + (service.characteristics.isEmpty ? " {}" : ""))
            lines += service.characteristics.map {
                "            \(YAMLText.scalar(names.name(of: $0.uuid))): [\($0.properties.names)]"
            }
        }
        if comparable.count < services.count {
            lines.append("      # Left out: what has a UUID several times, which 'discover' cannot tell apart.")
        }
        lines += reads(services) + subscriptions(services)
        return lines
    }

    /// The services that `discover` can compare: it takes each UUID once.
    private static func comparable(_ services: [SketchProfile.Service]) -> [SketchProfile.Service] {
        var known: Set<BLEUUID> = []
        return services.filter { service in
            let uuids = service.characteristics.map(\.uuid)
            return known.insert(service.uuid).inserted && Set(uuids).count == uuids.count
        }
    }

    private func reads(_ services: [SketchProfile.Service]) -> [String] {
        let steps = services.flatMap(\.characteristics).flatMap { characteristic -> [String] in
            let name = YAMLText.scalar(names.name(of: characteristic.uuid))
            switch characteristic.reading {
            case .value(let bytes?):
                if let text = YAMLText.text(bytes) { return ["      - read: {from: \(name), text: \(text)}"] }
                return ["      - read: {from: \(name), bytes: [\(YAMLText.bytes(bytes))]}"]
            case .value(nil): return ["      # Its value differs from run to run.", "      - read: \(name)"]
            case .attError(let code):
                return [
                    "      # It refuses: 'pair' first if it is protected.", "      - read: \(name)",
                    "      - expect: {error: \(YAMLText.octet(code))}",
                ]
            case .failed, nil: return []
            }
        }
        guard !steps.isEmpty else { return [] }
        return ["  - name: gives its values", "    steps:", "      - connect: {\(peer), within: 10 s}"] + steps
    }

    private func subscriptions(_ services: [SketchProfile.Service]) -> [String] {
        let steps = services.flatMap(\.characteristics).flatMap { characteristic -> [String] in
            let name = YAMLText.scalar(names.name(of: characteristic.uuid))
            let isIndicated = characteristic.subscriptionKind == .indications
            let step = isIndicated ? "{to: \(name), kind: indications}" : name
            switch characteristic.subscription {
            case .value:
                guard characteristic.sendsValues else { return ["      - subscribe: \(step)"] }
                let kind = isIndicated ? "indication" : "notification"
                return ["      - subscribe: \(step)", "      - expect: {\(kind): \(name), within: 5 s}"]
            case .attError(let code):
                return [
                    "      # It refuses: 'pair' first if it is protected.", "      - subscribe: \(step)",
                    "      - expect: {error: \(YAMLText.octet(code))}",
                ]
            case .failed, nil: return []
            }
        }
        guard !steps.isEmpty else { return [] }
        return [
            "  - name: accepts subscriptions", "    steps:", "      - connect: {\(peer), within: 10 s}",
            "      # After a write, expect the answer: - expect: {notification: …, bytes: […], within: 1 s}",
        ] + steps
    }
}
