internal import ByteCodec
import CommandSupport
import ESPChips
import ESPImage

/// The properties of an image, as `espbench image info` prints them.
struct ImageRecord: Codable, Hashable, Sendable {
    struct Segment: Codable, Hashable, Sendable {
        var address: UInt32
        var length: Int
        var offset: Int
        var memory: String
    }

    struct Application: Codable, Hashable, Sendable {
        var project: String
        var version: String
        var date: String
        var time: String
        var idf: String
        var elfSHA256: String
    }

    struct Bootloader: Codable, Hashable, Sendable {
        var version: UInt32
        var date: String
        var idf: String
    }

    var file: String
    /// The offset of the image in the file.
    var offset: Int
    var chip: String
    var kind: String
    var length: Int
    var entryPoint: UInt32
    var flashMode: String
    var flashFrequency: String
    var flashSize: String
    var minimumRevision: UInt16
    /// Absent if there is no limit.
    var maximumRevision: UInt16?
    var segments: [Segment]
    var checksum: UInt8
    var isChecksumValid: Bool
    var sha256: String?
    var isDigestValid: Bool
    var application: Application?
    var bootloader: Bootloader?

    var isValid: Bool { isChecksumValid && isDigestValid }

    /// Why the image cannot be used.
    var failure: CommandFailure {
        let what = isChecksumValid ? "SHA-256 digest" : "checksum"
        return CommandFailure(
            .badInput, "\(file): the \(what) of the image at 0x\(String(offset, radix: 16)) is wrong",
            code: "flash.invalidImage")
    }

    init(_ report: ImageReport, _ path: String, at place: Int) {
        let header = report.header
        file = path
        offset = place
        chip = report.chip.name
        kind = "\(report.kind)"
        length = report.sums.imageLength
        entryPoint = header.entryPoint
        flashMode = header.flash.modeName
        flashFrequency = header.flash.frequencyName(on: report.chip)
        flashSize = header.flash.sizeName
        minimumRevision = header.minimumRevision
        maximumRevision = header.revisionLimit
        segments = report.segments.map {
            Segment(address: $0.address, length: $0.length, offset: $0.offset, memory: $0.memory)
        }
        checksum = report.sums.storedChecksum
        isChecksumValid = report.sums.storedChecksum == report.sums.computedChecksum
        sha256 = report.sums.storedHash.map { Hexadecimal.string($0) }
        isDigestValid = report.sums.storedHash == report.sums.computedHash
        application = report.application.map {
            Application(
                project: $0.projectName, version: $0.version, date: $0.date, time: $0.time, idf: $0.idfVersion,
                elfSHA256: Hexadecimal.string($0.elfHash))
        }
        bootloader = report.bootloader.map {
            Bootloader(version: $0.version, date: $0.dateTime, idf: $0.idfVersion)
        }
    }

    private static func address(_ value: UInt32) -> String { Hexadecimal.number(value, digits: 8) }

    private static func revision(_ number: UInt16) -> String { "v\(number / 100).\(number % 100)" }

    /// The record as lines for people.
    var text: String {
        let place = offset == 0 ? "" : " at 0x\(String(offset, radix: 16))"
        var lines = ["\(file)\(place): \(kind) for the \(chip), \(length) bytes"]
        if let application {
            lines.append("  project      \(application.project) \(application.version)")
            let built = "\(application.date) \(application.time)".filter { $0 != "\0" }
            if built != " " { lines.append("  built        \(built)") }
            lines.append("  ESP-IDF      \(application.idf)")
            lines.append("  ELF SHA-256  \(application.elfSHA256)")
        }
        if let bootloader {
            lines.append("  version      \(bootloader.version)")
            if !bootloader.date.isEmpty { lines.append("  built        \(bootloader.date)") }
            lines.append("  ESP-IDF      \(bootloader.idf)")
        }
        lines.append("  flash        \(flashMode), \(flashFrequency), \(flashSize)")
        if minimumRevision != 0 || maximumRevision != nil {
            let most = maximumRevision.map(Self.revision) ?? "any"
            lines.append("  chip         revision \(Self.revision(minimumRevision)) to \(most)")
        }
        lines.append("  entry        \(Self.address(entryPoint))")
        for (index, segment) in segments.enumerated() {
            let segmentPlace = segment.address == 0 ? "          " : Self.address(segment.address)
            lines.append(
                "  segment \(index)\(index < 10 ? " " : "")   \(segmentPlace)  \(String(segment.length).padded(8)) bytes at 0x\(String(segment.offset, radix: 16))  \(segment.memory)"
            )
        }
        lines.append("  checksum     \(isChecksumValid ? "right" : "WRONG")")
        lines.append("  SHA-256      \(sha256.map { "\($0) \(isDigestValid ? "(right)" : "(WRONG)")" } ?? "none")")
        return lines.joined(separator: "\n") + "\n"
    }
}

extension String {
    /// The text with spaces before it, to a length of `width`.
    fileprivate func padded(_ width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}

/// The contents that `espbench image info` finds in a file: an image, a partition table, or the contents of a whole or
/// partial flash.
struct ImageContents {
    /// A partition table, as JSON.
    private struct TableRecord: Codable {
        var file: String
        /// The offset of the table in the file.
        var offset: Int
        var kind = "a partition table"
        var partitions: [PartitionText.Record]
    }

    private let file: String
    private var table: (offset: Int, table: PartitionTable)?
    private var images: [ImageRecord] = []
    /// Why the file, or a part of it, cannot be used.
    private(set) var faults: [CommandFailure] = []

    /// The addresses of bootloaders in a whole flash.
    private static let bootloaderPlaces = [0, 0x1000, 0x2000]
    /// Parts of a flash begin at sectors.
    private static let sector = 0x1000

    /// Reads the file at `path`.
    ///
    /// - Throws: ``CommandFailure`` with exit code `badInput` when the file has no content that can be shown.
    init(_ path: String) throws(CommandFailure) {
        file = path
        let bytes = try InputFile.read(path)
        guard !bytes.starts(with: ELFFile.magic) else {
            throw CommandFailure(.badInput, "\(path): expected an image, got an ELF file", code: "image.isELF")
        }
        if bytes.starts(with: Partition.magic) {
            table = (0, try PartitionFile.read(path, bytes))
        } else {
            table = Self.table(in: bytes)
            findImages(in: bytes)
        }
        faults += images.filter { !$0.isValid }.map(\.failure)
        do throws(ImageError) {
            try table?.table.check(flashSize: 1 << 32)
        } catch {
            faults.append(CommandFailure(imageError: error, path))
        }
        if table == nil, images.isEmpty, let fault = faults.first { throw fault }
    }

    /// The first partition table in the file; its offset depends on the addresses of the file's first byte and of the
    /// table.
    private static func table(in bytes: [UInt8]) -> (offset: Int, table: PartitionTable)? {
        for place in stride(from: sector, to: bytes.count, by: sector)
        where bytes[place...].starts(with: Partition.magic) {
            if let table = try? PartitionTable(bytes[place...]) { return (place, table) }
        }
        return nil
    }

    /// Adds the images: at bootloader addresses and in partitions also invalid images, elsewhere only valid ones.
    private mutating func findImages(in bytes: [UInt8]) {
        // A file without the gap before the bootloader begins at the bootloader.
        let start = table.map { max(0, Int(PartitionTable.offset) - $0.offset) } ?? 0
        let apps = table?.table.partitions.filter(\.isApp).map { Int($0.offset) } ?? []
        let named = Set((Self.bootloaderPlaces + apps).map { $0 - start } + [0])
        var end = 0
        for place in stride(from: 0, to: bytes.count, by: Self.sector)
        where place >= end && bytes[place] == ImageHeader.magic {
            do throws(ImageError) {
                let report = try ImageReport(bytes[place...])
                guard report.isValid || named.contains(place) else { continue }
                images.append(ImageRecord(report, file, at: place))
                end = place + report.sums.imageLength
            } catch {
                guard named.contains(place) else { continue }
                let name = place == 0 ? file : "\(file) at 0x\(String(place, radix: 16))"
                faults.append(CommandFailure(imageError: error, name))
            }
        }
        guard table == nil, images.isEmpty, faults.isEmpty else { return }
        do throws(ImageError) {
            _ = try ImageReport(bytes[...])
        } catch {
            faults.append(CommandFailure(imageError: error, file))
        }
    }

    /// The lines for people.
    var text: String {
        var parts: [String] = []
        if let table {
            let place = table.offset == 0 ? "" : " at 0x\(String(table.offset, radix: 16))"
            let lines = PartitionText.table(table.table).split(separator: "\n").map { "  \($0)\n" }
            parts.append("\(file)\(place): a partition table\n" + lines.joined())
        }
        return (parts + images.map(\.text)).joined(separator: "\n")
    }

    /// One line with a JSON object for each part.
    func json() throws -> String {
        var lines = try images.map { try JSONLine.text($0) }
        if let table {
            let record = TableRecord(
                file: file, offset: table.offset, partitions: table.table.partitions.map(PartitionText.Record.init))
            lines.insert(try JSONLine.text(record), at: 0)
        }
        return lines.map { $0 + "\n" }.joined()
    }
}
