import ArgumentParser
import BoardConsole
import CommandSupport
import ESPFlasher
import ESPImage
import FirmwareBuild

/// `espbench partitions`.
struct Partitions: ModalCommand {
    /// A form of a table.
    enum Form: String, ExpressibleByArgument, CaseIterable {
        case table
        case csv
        case binary
        case json
    }

    static let configuration = CommandConfiguration(
        commandName: "partitions",
        abstract: "Print or convert a partition table: of a file or of a board.",
        discussion: """
            A file is text (CSV), a table as in the flash, or a whole flash. Names, overlaps, alignment and the size of \
            the flash are checked as gen_esp32part.py does. Without a file, the table of the board is read.
            """)

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp(
            "table (for people), csv, binary or json. (default: by the name of -o, else table)", valueName: "form"))
    var form: Form?

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Write into this file.", valueName: "file"), completion: .file())
    var output: String?

    @Option(
        name: .customLong("flash-size"),
        help: ArgumentHelp("The size of the flash that the table must fit, e.g. 4MB.", valueName: "size"))
    var size: String?

    @OptionGroup var port: PortOption
    @OptionGroup var loader: LoaderOptions

    @Argument(
        help: ArgumentHelp("The table's file.", valueName: "file"), completion: .file(extensions: ["csv", "bin"]))
    var file: String?

    func validate() throws {
        if file != nil, port.port != nil { throw ValidationError("Give a file or --port, got both.") }
        if loader.json { throw ValidationError("For JSON, use --to json.") }
        if let size, !FlashSettings.sizeNames.contains(where: { $0.lowercased() == size.lowercased() }) {
            throw ValidationError(
                "--flash-size: expected one of \(FlashSettings.sizeNames.joined(separator: ", ")), got '\(size)'.")
        }
    }

    var unusedOptions: [UnusedOptions] {
        guard file != nil else { return [] }
        return [
            UnusedOptions(
                ["--baud", "--stub", "--no-stub", "--before", "--after", "--connect-attempts"],
                "a file is read, and no board")
        ]
    }

    func run() throws {
        let environment = Environment.process
        let notes = Output(environment)
        let command = self
        try CommandRunner.run(notes) { _ in
            if let output = command.output { try DataFile.checkIsBinary(output, "it is written as it is in the flash") }
            if let file = command.file {
                try command.finish(try PartitionFile.read(file), file, command.flashSize, environment, notes)
                return .passed
            }
            let address = try await command.port.address(environment, notes)
            let sessions = try BoardSessions([address], command.loader, environment, notes)
            return try await sessions.run { session in
                let table = try await session.partitionTable()
                try command.finish(
                    table, "the board's table", command.flashSize ?? session.board.flashSize, environment, notes)
                return .passed
            }
        }
    }

    private var flashSize: UInt64? {
        size.flatMap { size in FlashSettings.sizeNames.firstIndex { $0.lowercased() == size.lowercased() } }.map {
            1 << (20 + UInt64($0))
        }
    }

    private func finish(
        _ table: PartitionTable, _ name: String, _ size: UInt64?, _ environment: Environment, _ notes: Output
    ) throws {
        let bytes = try PartitionFile.bytes(of: table, name, flashSize: size ?? 1 << 32)
        let ending = output.flatMap { $0.split(separator: ".").last?.lowercased() }
        let chosen = form ?? (ending == "csv" ? .csv : ending == "bin" ? .binary : ending == "json" ? .json : .table)
        let isShown = output == nil && environment.outputIsTerminal
        let result: [UInt8] =
            switch chosen {
            case .table: Array(PartitionText.table(table).utf8)
            case .csv: Array((isShown ? PartitionText.safe(table) : table).csv.utf8)
            case .json: Array(try PartitionText.json(isShown ? PartitionText.safe(table) : table).utf8)
            case .binary: bytes
            }
        if let output {
            try ReportFile.write(result, to: output, option: "--output", notes)
            notes.note("wrote \(table.partitions.count) partitions into \(output)")
        } else if chosen == .binary, isShown {
            throw CommandFailure(
                .usage, "expected -o FILE for the binary table, got a terminal", code: "usage.noOutput")
        } else {
            notes.data(result)
        }
    }
}
