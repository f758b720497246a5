/// Why an NVS operation failed, with ESP-IDF's code and name (`nvs.h`, `esp_err.h`).
public struct NVSError: Error, Hashable, Sendable, CustomStringConvertible {
    /// An `esp_err_t`; an open set.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number that a sketch receives.
        public let rawValue: Int32

        /// A code by number.
        public init(rawValue: Int32) {
            self.rawValue = rawValue
        }

        /// `ESP_ERR_NVS_NOT_INITIALIZED`: a flash operation failed before; the partition must be mounted again.
        public static let notInitialized = Code(rawValue: 0x1101)
        /// `ESP_ERR_NVS_NOT_FOUND`: no such namespace, or no such key of that type.
        public static let notFound = Code(rawValue: 0x1102)
        /// `ESP_ERR_NVS_READ_ONLY`: a write to a namespace that was opened read-only.
        public static let readOnly = Code(rawValue: 0x1104)
        /// `ESP_ERR_NVS_NOT_ENOUGH_SPACE`
        public static let notEnoughSpace = Code(rawValue: 0x1105)
        /// `ESP_ERR_NVS_INVALID_NAME`: an empty name.
        public static let invalidName = Code(rawValue: 0x1106)
        /// `ESP_ERR_NVS_KEY_TOO_LONG`: a key or namespace of more than 15 bytes.
        public static let keyTooLong = Code(rawValue: 0x1109)
        /// `ESP_ERR_NVS_NO_FREE_PAGES`: there is no free page, as in a truncated partition.
        public static let noFreePages = Code(rawValue: 0x110D)
        /// `ESP_ERR_NVS_VALUE_TOO_LONG`: a string of more than 3999 bytes, or a blob that no partition of this size can hold.
        public static let valueTooLong = Code(rawValue: 0x110E)
        /// `ESP_ERR_NVS_NEW_VERSION_FOUND`: a format newer than version 2.
        public static let newVersionFound = Code(rawValue: 0x1110)
        /// `ESP_ERR_FLASH_OP_FAIL`: a flash operation failed, for example because of a power loss.
        public static let flashOperationFailed = Code(rawValue: 0x6001)

        /// ESP-IDF's name of the code.
        public var name: String {
            switch self {
            case .notInitialized: "ESP_ERR_NVS_NOT_INITIALIZED"
            case .notFound: "ESP_ERR_NVS_NOT_FOUND"
            case .readOnly: "ESP_ERR_NVS_READ_ONLY"
            case .notEnoughSpace: "ESP_ERR_NVS_NOT_ENOUGH_SPACE"
            case .invalidName: "ESP_ERR_NVS_INVALID_NAME"
            case .keyTooLong: "ESP_ERR_NVS_KEY_TOO_LONG"
            case .noFreePages: "ESP_ERR_NVS_NO_FREE_PAGES"
            case .valueTooLong: "ESP_ERR_NVS_VALUE_TOO_LONG"
            case .newVersionFound: "ESP_ERR_NVS_NEW_VERSION_FOUND"
            case .flashOperationFailed: "ESP_ERR_FLASH_OP_FAIL"
            default: hexadecimal(UInt32(bitPattern: rawValue))
            }
        }
    }

    /// The kind of fault.
    public var code: Code
    /// What was expected and what was found, one line.
    public var detail: String

    /// A fault.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// One line: the code's name and the detail.
    public var description: String { "\(code.name): \(detail)" }
}
