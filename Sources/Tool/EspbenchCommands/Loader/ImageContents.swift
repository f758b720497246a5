import ESPImage

/// What `espbench image info` finds in a file: an image, a partition table, or those of a flash, or of a part of one.
struct ImageContents {
    /// A partition table, as JSON.
    private struct TableRecord: Codable {
        var file: String
        /// Where in the file it begins.
        var offset: Int
        var kind = "a partition table"
        var partitions: [PartitionText.Record]
    }

    private let file: String
    private var table: (offset: Int, table: PartitionTable)?
    private var images: [ImageRecord] = []
    /// Why the file, or a part of it, cannot be used.
    private(set) var faults: [CommandFailure] = []

    /// Where bootloaders are in a whole flash.
    private static let bootloaderPlaces = [0, 0x1000, 0x2000]
    /// Parts of a flash begin at sectors.
    private static let sector = 0x1000

    /// Reads the file at `path`.
    ///
    /// - Throws: ``CommandFailure`` with exit code `badInput` when nothing in it can be shown.
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

    /// The first partition table in the file: its place depends on the address of the file's first byte, and of the
    /// table itself.
    private static func table(in bytes: [UInt8]) -> (offset: Int, table: PartitionTable)? {
        for place in stride(from: sector, to: bytes.count, by: sector)
        where bytes[place...].starts(with: Partition.magic) {
            if let table = try? PartitionTable(bytes[place...]) { return (place, table) }
        }
        return nil
    }

    /// Adds the images: also broken ones at the places of bootloaders and in partitions, and only right ones elsewhere.
    private mutating func findImages(in bytes: [UInt8]) {
        // A file without a bootloader's gap begins at the bootloader.
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

    /// A JSON object for each part, a line each.
    func json() throws -> String {
        var lines = try images.map { try PortRecord.json($0) }
        if let table {
            let record = TableRecord(
                file: file, offset: table.offset, partitions: table.table.partitions.map(PartitionText.Record.init))
            lines.insert(try PortRecord.json(record), at: 0)
        }
        return lines.map { $0 + "\n" }.joined()
    }
}
