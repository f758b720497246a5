internal import ByteCodec
import Bench
import BenchSuites
internal import BLECore

/// The text of a first suite for a sketch: the behaviour that the sketch has shown on a bench, with comments that
/// explain the steps.
package struct FirstSuite {
    private let profile: SketchProfile
    private let names: SuiteNames

    /// A suite from the observed behaviour of a sketch.
    package init(_ profile: SketchProfile) {
        self.profile = profile
        names = SuiteNames(profile)
    }

    /// The suite's name, without control characters, which suites refuse.
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

    /// The peer that `scan` and `connect` look for.
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
        // A scan needs a condition.
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

    /// The services that `discover` can compare; it accepts each UUID only once.
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

/// Names for the UUIDs of a first suite: common assigned names, or else names that describe a characteristic's use.
struct SuiteNames {
    /// Each UUID with its name, in the order of their use; 16-bit UUIDs without an assigned name are their own names.
    let all: [(uuid: BLEUUID, name: String)]

    /// Bluetooth Assigned Numbers, 3.4 and 3.8.
    private static let assigned: [UInt16: String] = [
        0x180A: "device information", 0x180D: "heart rate", 0x180F: "battery", 0x1809: "health thermometer",
        0x1812: "human interface device", 0x181A: "environmental sensing", 0x1826: "fitness machine",
        0x2A19: "battery level", 0x2A24: "model number", 0x2A25: "serial number", 0x2A26: "firmware revision",
        0x2A27: "hardware revision", 0x2A28: "software revision", 0x2A29: "manufacturer name",
        0x2A37: "heart rate measurement", 0x2A38: "body sensor location", 0x2A6E: "temperature", 0x2A6F: "humidity",
        0x2A1C: "temperature measurement", 0x2A4A: "HID information", 0x2A4B: "report map", 0x2A4D: "report",
    ]

    init(_ profile: SketchProfile) {
        var all: [(uuid: BLEUUID, name: String)] = []
        func add(_ uuid: BLEUUID, _ name: String) {
            guard !all.contains(where: { $0.uuid == uuid }) else { return }
            if let short = uuid.uint16 {
                all.append((uuid, Self.assigned[short] ?? uuid.description))
                return
            }
            var (unique, number) = (name, 1)
            while all.contains(where: { $0.name == unique }) {
                number += 1
                unique = "\(name)\(number)"
            }
            all.append((uuid, unique))
        }
        for uuid in profile.advertised { add(uuid, "service") }
        for service in profile.services ?? [] {
            add(service.uuid, "service")
            for characteristic in service.characteristics {
                let properties = characteristic.properties
                let isWritable = !properties.isDisjoint(with: [.write, .writeWithoutResponse])
                let isSent = !properties.isDisjoint(with: [.notify, .indicate])
                add(characteristic.uuid, isSent && !isWritable ? "output" : isWritable && !isSent ? "input" : "value")
            }
        }
        self.all = all
    }

    func name(of uuid: BLEUUID) -> String { all.first { $0.uuid == uuid }?.name ?? uuid.description }
}

/// Values in the syntax of a suite's or a project's file.
enum YAMLText {
    /// Text without quotes if YAML reads it back as the same text, otherwise in quotes.
    static func scalar(_ text: String) -> String {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        let isPlain =
            text.first?.isLetter == true
            && words.allSatisfy { word in
                !word.isEmpty
                    && word.unicodeScalars.allSatisfy {
                        $0.isASCII && ($0.properties.isAlphabetic || "0123456789_-./".unicodeScalars.contains($0))
                    }
            } && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased())
        return isPlain ? text : quoted(text)
    }

    /// Text in double quotes.
    static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case "\t": "\\t"
            case let unseen where isUnseen(unseen):
                "\\U" + Hexadecimal.digits(unseen.value, count: 8)
            default: String(scalar)
            }
        }
        return "\"" + escaped.joined() + "\""
    }

    /// True for an invisible scalar: YAML refuses some of these, and treats U+2028 as the end of a line.
    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        [.control, .format, .lineSeparator, .paragraphSeparator, .unassigned]
            .contains(scalar.properties.generalCategory)
    }

    /// Text of a console line or a value, with escaped braces; `nil` if a suite would read it as a regular expression,
    /// or cannot contain it.
    static func template(_ text: String) -> String? {
        guard !text.hasPrefix("/"), !text.isEmpty, !text.unicodeScalars.contains("\u{FFFD}") else { return nil }
        return quoted(text.replacing("{", with: "{{").replacing("}", with: "}}"))
    }

    /// A value as text; `nil` if it is not text.
    static func text(_ bytes: [UInt8]) -> String? {
        guard bytes.count > 1, bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        return template(String(decoding: bytes, as: UTF8.self))
    }

    static func bytes(_ bytes: [UInt8]) -> String { bytes.map(octet).joined(separator: ", ") }

    static func octet(_ byte: UInt8) -> String { Hexadecimal.number(byte, digits: 2) }
}
