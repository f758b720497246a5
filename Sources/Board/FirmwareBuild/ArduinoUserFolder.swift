import FoundationEssentials
import Yams

/// The Arduino user folder, whose `libraries` sketches may use: `directories.user` of arduino-cli.
public enum ArduinoUserFolder {
    /// The `libraries` folder selected by these environment variables, or by the configuration of arduino-cli; by
    /// default that of `~/Arduino` (on macOS of `~/Documents/Arduino`). It need not exist.
    ///
    /// See https://arduino.github.io/arduino-cli/latest/configuration/.
    public static func libraries(_ variables: [String: String]) -> String? {
        folder(variables).map { $0 + "/libraries" }
    }

    private static func folder(_ variables: [String: String]) -> String? {
        if let folder = variables["ARDUINO_DIRECTORIES_USER"], !folder.isEmpty { return folder }
        let home = variables["HOME"].flatMap { $0.isEmpty ? nil : $0 }
        #if os(macOS)
            let (data, user) = ("Library/Arduino15", "Documents/Arduino")
        #else
            let (data, user) = (".arduino15", "Arduino")
        #endif
        let dataFolder = variables["ARDUINO_DIRECTORIES_DATA"] ?? home.map { "\($0)/\(data)" }
        let file = variables["ARDUINO_CONFIG_FILE"] ?? dataFolder.map { $0 + "/arduino-cli.yaml" }
        // Another program's file: what is wrong with it is that program's to say.
        if let file, let text = try? FileTree.text(of: file), let root = try? Yams.compose(yaml: text),
            let folder = root["directories"]?["user"]?.string, !folder.isEmpty
        {
            return folder
        }
        return home.map { "\($0)/\(user)" }
    }
}
