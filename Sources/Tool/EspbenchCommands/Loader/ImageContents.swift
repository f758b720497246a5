import ESPImage

/// What `espbench image info` finds in a file: an image, a partition table, or those of a whole flash.
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

    /// Reads the file at `path`.
    ///
    /// - Throws: ``CommandFailure`` with exit code `badInput` when nothing in it can be shown.
    init(_ path: String) throws(CommandFailure) {
        file = path
        let bytes = try InputFile.read(path)
        guard !bytes.starts(with: ELFFile.magic) else {
            throw CommandFailure(.badInput, "\(path): expected an image, got an ELF file", code: "image.isELF")
        }
        var places = [0]
        if bytes.starts(with: Partition.magic) {
            table = (0, try PartitionFile.read(path, bytes))
            places = []
        } else if let whole = try? PartitionTable(bytes.dropFirst(Int(PartitionTable.offset))) {
            table = (Int(PartitionTable.offset), whole)
            let apps = whole.partitions.filter(\.isApp).map { Int($0.offset) }
            places = (Self.bootloaderPlaces + apps).filter { $0 < bytes.count && bytes[$0] == ImageHeader.magic }
        }
        for place in places {
            do throws(ImageError) {
                images.append(ImageRecord(try ImageReport(bytes[place...]), path, at: place))
            } catch {
                let name = place == 0 ? path : "\(path) at 0x\(String(place, radix: 16))"
                faults.append(CommandFailure(imageError: error, name))
            }
        }
        faults += images.filter { !$0.isValid }.map(\.failure)
        do throws(ImageError) {
            try table?.table.check(flashSize: 1 << 32)
        } catch {
            faults.append(CommandFailure(imageError: error, path))
        }
        if table == nil, images.isEmpty, let fault = faults.first { throw fault }
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
