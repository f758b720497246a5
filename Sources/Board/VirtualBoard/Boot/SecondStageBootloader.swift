import ByteCodec
import Crypto
import ESPImage

/// ESP-IDF's second-stage bootloader: partition table, choice of the application, and the log of faults.
///
/// It is built as in arduino-esp32, with the log level "error". The application is chosen as if OTA data were absent:
/// `factory`, then the `ota` slots from 0 on.
struct SecondStageBootloader {
    /// The log's timestamp when the bootloader starts, in milliseconds.
    private static let startTime = 40
    /// The time of a log line at 115,200 baud, in milliseconds.
    private static let lineTime = 5
    /// The time from the start of the bootloader to the start of a valid application.
    private static let loadTime = Duration.milliseconds(100)

    let flash: NORFlash
    let key: HostProgramKey?

    /// Continues the ROM's `script`.
    func run(_ script: inout BootScript) {
        var log = BootLog(milliseconds: Self.startTime, lineTime: Self.lineTime)
        defer { log.write(to: &script) }
        script.outcome = .reset(.software)
        let table: PartitionTable
        do throws(PartitionTableFault) {
            table = try PartitionTableFault.verify(flash)
        } catch {
            log.error("flash_parts", error.line)
            log.error("boot", "Failed to verify partition table")
            log.error("boot", "load partition table error!")
            return
        }
        for candidate in Self.candidates(in: table) {
            if let key, let contents = flash.contents,
                let known = contents.verified.application(in: candidate.partition, of: contents, key: key)
            {
                script.lastPause = Self.loadTime
                script.outcome = .application(known)
                return
            }
            do throws(AppImageFault) {
                let image = try AppImageVerifier(flash: flash, partition: candidate.partition).verify()
                script.lastPause = Self.loadTime
                start(image, candidate.partition, &script, &log)
                return
            } catch {
                log.error(error.tag, error.line)
                log.error("boot", "\(candidate.name) is not bootable")
            }
        }
        log.error("boot", "No bootable app partitions in the partition table")
    }

    private static func candidates(in table: PartitionTable) -> [(name: String, partition: Partition)] {
        let apps = table.partitions.filter(\.isApp)
        let factory = apps.filter { $0.subtype == 0x00 }.map { ("Factory app partition", $0) }
        let slots = apps.filter { (0x10..<0x20).contains($0.subtype) }.sorted { $0.subtype < $1.subtype }
            .map { ("OTA app partition slot \($0.subtype - 0x10)", $0) }
        return factory.suffix(1) + slots
    }

    /// Opens the host program of a valid image: the only code that this board can run.
    private func start(
        _ image: FirmwareImage, _ partition: Partition, _ script: inout BootScript, _ log: inout BootLog
    ) {
        let reason: String
        do throws(ImageError) {
            if let key, let program = try image.hostProgram(key: key) {
                let application = BootedApplication(
                    program: program, description: image.appDescription, offset: partition.offset)
                script.outcome = .application(application)
                if let contents = flash.contents {
                    contents.verified.remember(application, in: partition, of: contents, key: key)
                }
                return
            }
            reason =
                image.carriesHostProgram
                ? "image at \(hexadecimal(partition.offset)) carries native code, and this board has no key to run any"
                : "image at \(hexadecimal(partition.offset)) has no program for a virtual board; "
                    + "build it with espbench build"
        } catch {
            reason =
                error.code == .authentication
                ? "image at \(hexadecimal(partition.offset)) carries native code that this user's espbench did not "
                    + "build: not executed"
                : "image at \(hexadecimal(partition.offset)): \(error)"
        }
        log.error("espbench", reason)
        script.outcome = .halt(reason)
    }
}

/// The lines of ESP-IDF's log at level "error".
struct BootLog {
    private var milliseconds: Int
    private let lineTime: Int
    private var lines: [String] = []

    init(milliseconds: Int, lineTime: Int) {
        self.milliseconds = milliseconds
        self.lineTime = lineTime
    }

    mutating func error(_ tag: String, _ text: String) {
        lines.append("E (\(milliseconds)) \(tag): \(text)")
        milliseconds += lineTime
    }

    func write(to script: inout BootScript) {
        for line in lines { script.print(line, after: .milliseconds(lineTime)) }
    }
}

/// A fault that ESP-IDF's bootloader finds in a partition table, with its message (`flash_partitions.c`).
struct PartitionTableFault: Error {
    let line: String

    /// The largest number of entries; one row of the table is reserved for its end (`ESP_PARTITION_TABLE_MAX_ENTRIES`).
    private static let maximumEntries = PartitionTable.length / Partition.entryLength - 1

    /// The table in `flash`.
    static func verify(_ flash: NORFlash) throws(PartitionTableFault) -> PartitionTable {
        let bytes: [UInt8]
        do {
            bytes = try flash.read(at: Int(PartitionTable.offset), count: PartitionTable.length)
        } catch {
            throw PartitionTableFault(line: "reading the partition table failed: \(error)")
        }
        let end = try check(bytes, flashSize: UInt32(clamping: flash.size))
        do {
            return try PartitionTable(bytes[..<end])
        } catch {
            throw PartitionTableFault(line: "\(error)")
        }
    }

    /// Checks row by row; returns the end of the table.
    private static func check(_ bytes: [UInt8], flashSize: UInt32) throws(PartitionTableFault) -> Int {
        var hasDigest = false
        for index in 0..<maximumEntries {
            let row = bytes[index * Partition.entryLength..<(index + 1) * Partition.entryLength]
            let magic = UInt16(row[row.startIndex]) | UInt16(row[row.startIndex + 1]) << 8
            switch magic {
            case 0x50AA:
                let offset = word(row, 4)
                let size = word(row, 8)
                guard offset <= flashSize, size <= flashSize - offset else {
                    throw PartitionTableFault(
                        line: "partition \(index) invalid - offset \(hexadecimal(offset)) size \(hexadecimal(size)) "
                            + "exceeds flash chip size \(hexadecimal(flashSize))")
                }
            case 0xEBEB:
                guard !hasDigest else { throw PartitionTableFault(line: "Only one MD5 checksum is allowed") }
                let digest = Insecure.MD5.hash(data: bytes[..<row.startIndex])
                guard row.suffix(16).elementsEqual(digest) else {
                    throw PartitionTableFault(line: "Incorrect MD5 checksum")
                }
                hasDigest = true
            case 0xFFFF where index > 0 && row[row.startIndex + 2] == 0xFF && row[row.startIndex + 3] == 0xFF:
                return row.startIndex
            default:
                throw PartitionTableFault(
                    line: "partition \(index) invalid magic number \(hexadecimal(magic))")
            }
        }
        throw PartitionTableFault(line: "partition table has no terminating entry, not valid")
    }

    private static func word(_ row: ArraySlice<UInt8>, _ offset: Int) -> UInt32 {
        row.dropFirst(offset).prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
