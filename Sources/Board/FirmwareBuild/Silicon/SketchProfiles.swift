import ESPChips
import Yams

/// The profiles of a sketch's `sketch.yaml`, of which arduino-cli builds one (arduino-cli, sketch project file).
struct SketchProfiles {
    /// A profile.
    struct Profile: Hashable {
        var name: String
        /// The board: `VENDOR:ARCHITECTURE:BOARD[:OPTION=VALUE,…]`.
        var board: String
    }

    private(set) var profiles: [Profile] = []
    private(set) var defaultName: String?
    /// The file; `nil` when the sketch has none.
    private(set) var path: String?

    init(folder: String) throws(FirmwareBuildError) {
        path = ["sketch.yaml", "sketch.yml"].map { "\(folder)/\($0)" }.first(where: FileTree.isFile)
        guard let path, let root = try YAMLFile.read(path) else { return }
        let top = try YAMLFile.mapping(root, "the project", path)
        defaultName = top["default_profile"]?.string
        guard let node = top["profiles"], node.null == nil else { return }
        for (key, value) in try YAMLFile.mapping(node, "'profiles'", path) {
            guard let name = key.string else { continue }
            profiles.append(Profile(name: name, board: value.mapping?["fqbn"]?.string ?? ""))
        }
    }

    /// The profile that builds for `chip`: the profile or its board has the chip's name.
    ///
    /// - Returns: `nil` when the sketch has no profiles.
    /// - Throws: ``FirmwareBuildError`` with code `noProfile`, when no profile is for that chip.
    func profile(for chip: Chip) throws(FirmwareBuildError) -> Profile? {
        guard let path, !profiles.isEmpty else { return nil }
        if let named = profiles.first(where: { $0.name.lowercased() == chip.identifier }) { return named }
        let matching = profiles.filter { chip.identifier == Self.chipName(of: $0) }
        if let found = matching.first(where: { $0.name == defaultName }) ?? matching.first { return found }
        throw FirmwareBuildError(
            .noProfile,
            "\(path): expected a profile for the \(chip.name), such as\n\(Self.example(chip))found \(profiles.map { "\($0.name) (\($0.board))" }.joined(separator: ", "))"
        )
    }

    /// esptool's name of the chip on a profile's board, if the board's name contains it: `esp32:esp32:esp32c3`.
    private static func chipName(of profile: Profile) -> String? {
        let fields = profile.board.split(separator: ":")
        return fields.count > 2 ? fields[2].lowercased() : nil
    }

    private static func example(_ chip: Chip) -> String {
        """
          \(chip.identifier):
            fqbn: esp32:esp32:\(chip.identifier)
            platforms:
              - platform: esp32:esp32 (3.3.0)

        """
    }
}
