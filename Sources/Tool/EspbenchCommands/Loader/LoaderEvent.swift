import ESPChips
import ESPFlasher

/// An event of a command on a board, as `--json` prints it, a line each.
struct LoaderEvent: Codable, Hashable, Sendable {
    /// The board.
    struct Board: Codable, Hashable, Sendable {
        var chip: String
        /// Empty in secure download mode.
        var mac: String
        /// In bytes, if known.
        var flashSize: UInt64?
        var isVirtual: Bool

        init(_ board: ConnectedBoard) {
            chip = board.chip.name
            mac = board.macText
            flashSize = board.flashSize
            isVirtual = board.isVirtual
        }
    }

    /// What a write did.
    struct Write: Codable, Hashable, Sendable {
        /// Bytes of all regions.
        var total: Int
        /// Of them, bytes that were in the flash already.
        var skipped: Int
        /// Bytes sent, compressed.
        var sent: Int
        /// How often a part was begun anew.
        var restarts: Int
        /// Whether the content was compared with digests.
        var isVerified: Bool
    }

    /// A difference between flash and data.
    struct Difference: Codable, Hashable, Sendable {
        var region: String
        /// The address of the first sector that differs.
        var address: UInt64
        /// The length up to the end of the last, in bytes.
        var length: UInt64
    }

    /// `phase`, `board`, `progress` or `result`.
    var event: String
    /// The address of the board's port.
    var port: String
    /// What is being done: `connecting`, `comparing`, `erasing`, `writing`, `verifying`, `reading`, `restarting`.
    var phase: String?
    /// The region that is being worked on.
    var region: String?
    /// Its first address.
    var address: UInt32?
    /// Bytes done, and in all.
    var done: Int?
    var total: Int?
    var board: Board?
    /// Of a result: whether the command succeeded; the other fields say how, or why not.
    var ok: Bool?
    var exitCode: Int?
    var code: String?
    var message: String?
    var hint: String?
    var write: Write?
    var differences: [Difference]?
    var file: String?
    var md5: String?

    init(_ event: String, port: String) {
        self.event = event
        self.port = port
    }

    /// The event as JSON on one line.
    var line: String {
        // Strings and numbers always encode.
        ((try? PortRecord.json(self)) ?? "") + "\n"
    }
}
