import FoundationEssentials
import Yams

/// A sketch's `sketch.yaml`, as arduino-cli reads it: the boards it is built for and the libraries it stands on.
///
/// The virtual board builds with the host core instead, so what is pinned there must be what the host core offers.
struct SketchProject: Decodable {
    struct Profile: Decodable {
        var platforms: [Platform]
        var libraries: [Library]?
    }

    struct Platform: Decodable {
        var platform: String
    }

    /// A library by name and version, which may be marked as another's dependency, or a folder's.
    struct Library: Decodable {
        /// `NAME (VERSION)`; `nil` for a folder, which the virtual board's build does not see.
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

    /// A project may do without profiles.
    var profiles: [String: Profile]?

    /// What the host core stands in for: name and version prefix.
    private static let offered = ["esp32:esp32": "3.", "NimBLE-Arduino": "2.5.", "ESP32Servo": "3."]

    /// Reads and checks `path`.
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
                // One without a version is whatever is installed.
                let isOffered = offered.keys.contains(pinned)
                if !isOffered { try check(pinned, in: "\(path): profile \(name)") }
            }
            for pinned in (profile.libraries ?? []).compactMap(\.pinned) {
                try check(pinned, in: "\(path): profile \(name)")
            }
        }
    }

    /// What a decoder's error says, for people: the place in the file, what was expected and what came.
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
