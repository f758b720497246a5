import FoundationEssentials

/// What `arduino-cli compile --json` prints (arduino-cli 1.x; its field `builder_result` is `BuilderResult` of
/// cc/arduino/cli/commands/v1/compile.proto).
struct ArduinoBuildResult: Decodable {
    struct Result: Decodable {
        struct Platform: Decodable {
            let id: String?
            let version: String?
            let installDirectory: String?

            enum CodingKeys: String, CodingKey {
                case id
                case version
                case installDirectory = "install_dir"
            }
        }

        struct Section: Decodable {
            let name: String
            let size: Int?
            let maximum: Int?

            enum CodingKeys: String, CodingKey {
                case name
                case size
                case maximum = "max_size"
            }
        }

        let buildPath: String?
        let properties: [String]?
        let platform: Platform?
        let sections: [Section]?

        enum CodingKeys: String, CodingKey {
            case buildPath = "build_path"
            case properties = "build_properties"
            case platform = "board_platform"
            case sections = "executable_sections_size"
        }
    }

    let output: String?
    let errors: String?
    let result: Result?
    let isSuccess: Bool?
    let error: String?

    enum CodingKeys: String, CodingKey {
        case output = "compiler_out"
        case errors = "compiler_err"
        case result = "builder_result"
        case isSuccess = "success"
        case error
    }

    /// Reads the output.
    ///
    /// - Throws: ``FirmwareBuildError`` with code `compilerNotFound` when it is not that of arduino-cli 1.x.
    init(_ bytes: [UInt8], program: String, standardError: String) throws(FirmwareBuildError) {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(bytes))
        } catch {
            let found =
                String(decoding: bytes.prefix(200), as: UTF8.self).split(whereSeparator: \.isNewline).first ?? ""
            throw FirmwareBuildError(
                .unexpectedOutput, "\(program) compile --json: expected JSON of arduino-cli 1.x, got '\(found)'",
                compilerOutput: standardError)
        }
    }

    /// The value of a build property, such as `build.mcu`.
    func property(_ name: String) -> String? {
        result?.properties?.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }
}
