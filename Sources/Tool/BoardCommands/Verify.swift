import ArgumentParser
internal import ByteCodec
import BoardConsole
import CommandSupport
import ESPFlasher
import ESPImage

/// `espbench verify`.
struct Verify: BoardCommand, ModalCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Compare a board's flash with files.",
        discussion: """
            Files are given as for 'espbench flash'; a sketch is not built. The chip computes digests of its flash; \
            nothing is read or written. Exits with \(ExitReason.mismatch.rawValue) when the flash differs.
            """,
        aliases: ["verify-flash"])

    @Flag(help: "Read the parts that differ, and print their bytes, in the flash and in the files.")
    var diff = false

    @OptionGroup var content: FlashContentOptions
    @OptionGroup var ports: PortOptions
    @OptionGroup var loader: LoaderOptions

    @Argument(
        help: ArgumentHelp(
            """
            Files: ADDRESS=FILE, PARTITION=FILE, ADDRESS FILE, or a file that contains or implies its address; or a \
            build folder of ESP-IDF.
            """,
            valueName: "files"), completion: .file())
    var words: [String]

    var unusedOptions: [UnusedOptions] { [FlashContentOptions.building] }

    func run() throws {
        let (words, content, printsBytes) = (words, content, diff && !loader.json)
        try run { output in
            if words.count == 1, let build = try SiliconBuilds.idf(words[0], for: nil, output) {
                return try content.work(.build(build))
            }
            return try content.work(.files(try FlashArguments(words, allowsProject: false).inputs(isRaw: content.raw)))
        } body: { work, session, output in
            let (reporter, layout) = (session.reporter, try await work.content(in: session).layout)
            let differences = try await session.flasher.verify(layout, on: session.board) { reporter.progress($0) }
            if let failure = CommandFailure(differences) {
                if printsBytes { try await Self.printBytes(differences, of: layout, session, output) }
                throw failure
            }
            let size = layout.regions.reduce(0) { $0 + $1.bytes.count }
            reporter.succeeded("the flash holds these \(size) bytes")
        }
    }

    /// Prints a line for each 16 bytes that differ.
    private static func printBytes(
        _ differences: [FlashDifference], of layout: FlashLayout, _ session: borrowing BoardSession, _ output: Output
    ) async throws {
        for difference in differences {
            guard let region = layout.regions.first(where: { $0.name == difference.region }) else { continue }
            for range in difference.ranges {
                let end = min(range.upperBound, region.end)
                let flash = try await session.flasher.read(range.lowerBound..<end, of: session.board)
                let start = Int(range.lowerBound - UInt64(region.offset))
                let data = region.bytes[start..<start + flash.count]
                output.data(DifferingBytes.text(flash[...], data, at: range.lowerBound))
            }
        }
    }
}

/// Bytes of a flash beside those of a file.
enum DifferingBytes {
    private static let rowLength = 16

    /// A line for each row of 16 bytes in which `flash` differs from `data`, which has the same length.
    static func text(_ flash: ArraySlice<UInt8>, _ data: ArraySlice<UInt8>, at address: UInt64) -> String {
        stride(from: 0, to: flash.count, by: rowLength).map { row -> String in
            let found = flash.dropFirst(row).prefix(rowLength)
            let expected = data.dropFirst(row).prefix(rowLength)
            guard !found.elementsEqual(expected) else { return "" }
            let place = Hexadecimal.number(UInt32(truncatingIfNeeded: address) + UInt32(row), digits: 8)
            return "\(place)  flash \(hexadecimal(found))  file \(hexadecimal(expected))\n"
        }.joined()
    }

    private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> String { Hexadecimal.string(bytes, separator: " ") }
}
