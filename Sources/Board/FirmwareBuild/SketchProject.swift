import FoundationEssentials
import Yams

/// A sketch's `sketch.yaml`, as arduino-cli reads it: its boards and libraries.
///
/// Builds for the virtual board use the host core instead, so the pinned versions must be those that the host core
/// offers.
struct SketchProject: Decodable {
    struct Profile: Decodable {
        var platforms: [Platform]
        var libraries: [Library]?
    }

    struct Platform: Decodable {
        var platform: String
    }

    /// A library by name and version, possibly marked as a dependency, or by its folder.
    struct Library: Decodable {
        /// `NAME (VERSION)`; `nil` for a folder, which the virtual board's build ignores.
        var pinned: String?

        private enum Key: CodingKey {
            case dependency
        }

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                pinned = text
            } else {
                pinned = try decoder.container(keyedBy: Key.self).decodeIfPresent(String.self, forKey: .dependency)
            }
        }
    }

    /// Profiles are optional.
    var profiles: [String: Profile]?

    /// The packages that the host core replaces: name and version prefix.
    private static let offered = ["esp32:esp32": "3.", "NimBLE-Arduino": "2.5.", "ESP32Servo": "3."]

    /// Parses and validates `path`.
    ///
    /// - Throws: ``FirmwareBuildError`` with code `invalidProject`.
    static func check(path: String) throws(FirmwareBuildError) {
        guard FileManager.default.fileExists(atPath: path) else { return }
        let text = try FileTree.text(of: path)
        guard !text.allSatisfy(\.isWhitespace) else { return }
        let project: SketchProject
        do {
            project = try YAMLDecoder().decode(SketchProject.self, from: text)
        } catch {
            throw FirmwareBuildError(.invalidProject, "\(path): \(reason(error))")
        }
        for (name, profile) in (project.profiles ?? [:]).sorted(by: { $0.key < $1.key }) {
            for pinned in profile.platforms.map(\.platform) {
                // Without a version the installed one is used.
                let isOffered = offered.keys.contains(pinned)
                if !isOffered { try check(pinned, in: "\(path): profile \(name)") }
            }
            for pinned in (profile.libraries ?? []).compactMap(\.pinned) {
                try check(pinned, in: "\(path): profile \(name)")
            }
        }
    }

    /// A decoder's error as text: the position in the file, what was expected and what was found.
    private static func reason(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            "\(place(context)) lacks the key '\(key.stringValue)'"
        case DecodingError.valueNotFound(_, let context): "\(place(context)) has no value"
        case DecodingError.typeMismatch(let type, let context): "\(place(context)) is not \(word(for: type))"
        case DecodingError.dataCorrupted(let context):
            context.underlyingError.map(reason) ?? "\(place(context)): \(context.debugDescription)"
        default: "\(error)"
        }
    }

    private static func place(_ context: DecodingError.Context) -> String {
        let path = context.codingPath.reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? key.stringValue : "." + key.stringValue
            }
        }
        return path.isEmpty ? "the project" : "'\(path)'"
    }

    private static func word(for type: Any.Type) -> String {
        switch "\(type)" {
        case "String", "Scalar": "a text"
        case let name where name.hasPrefix("Array") || name.hasSuffix("Sequence"): "a list"
        default: "keys with values"
        }
    }

    private static func check(_ pinned: String, in place: String) throws(FirmwareBuildError) {
        let parts = pinned.split(separator: " (", maxSplits: 1)
        guard let name = parts.first, parts.count == 2, parts[1].hasSuffix(")") else {
            throw FirmwareBuildError(.invalidProject, "\(place): expected NAME (VERSION), got '\(pinned)'")
        }
        let offer = offered.map { "\($0.key) \($0.value)x" }.sorted().joined(separator: ", ")
        guard let version = offered[String(name)], parts[1].hasPrefix(version) else {
            throw FirmwareBuildError(
                .invalidProject,
                "\(place) pins \(pinned), which the virtual board's host core does not have: it has \(offer)")
        }
    }
}
