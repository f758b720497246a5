import FoundationEssentials
import Yams

/// A sketch's `sketch.yaml`, as arduino-cli reads it: the boards it is built for and the libraries it stands on.
///
/// The virtual board builds with the host core instead, so what is pinned there must be what the host core offers.
struct SketchProject: Decodable {
    struct Profile: Decodable {
        var fqbn: String
        var platforms: [Platform]
        var libraries: [String]?
    }

    struct Platform: Decodable {
        var platform: String
    }

    var profiles: [String: Profile]

    /// What the host core stands in for: name and version prefix.
    private static let offered = ["esp32:esp32": "3.", "NimBLE-Arduino": "2.5.", "ESP32Servo": "3."]

    /// Reads and checks `path`.
    ///
    /// - Throws: ``FirmwareBuildError`` with code `invalidProject`.
    static func check(path: String) throws(FirmwareBuildError) {
        guard FileManager.default.fileExists(atPath: path) else { return }
        let project: SketchProject
        do {
            project = try YAMLDecoder().decode(SketchProject.self, from: try FileTree.text(of: path))
        } catch let error as FirmwareBuildError {
            throw error
        } catch {
            throw FirmwareBuildError(.invalidProject, "\(path): \(error)")
        }
        for (name, profile) in project.profiles.sorted(by: { $0.key < $1.key }) {
            for pinned in profile.platforms.map(\.platform) + (profile.libraries ?? []) {
                try check(pinned, in: "\(path): profile \(name)")
            }
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
