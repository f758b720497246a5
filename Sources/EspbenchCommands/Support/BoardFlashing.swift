import ESPFlasher
import ESPImage
import ESPProtocol
import Foundation
import SerialPort

/// Flashes a board over a port, with progress.
package enum BoardFlashing {
    /// The rate of the flashing itself, where the port takes it.
    private static let fastRate = 460_800

    /// Writes `layout`, verifies it and restarts the board. The port stays the caller's.
    static func flash(_ layout: FlashLayout, over port: any SerialPort, clock: any Clock<Duration>, _ output: Output)
        async throws
    {
        let flasher = Flasher(port: port, clock: clock)
        output.note("connecting to \(port.name)")
        try await flasher.connect()
        let board = try await flasher.identify()
        output.note("found \(describe(board))")
        if port.hasModemLines { try await flasher.changeBaudRate(to: fastRate, of: board) }
        try await flasher.write(layout, to: board) { progress in
            output.progress(
                "flashing \(progress.region)", completed: progress.overallWritten, of: progress.overallTotal)
        }
        let size = layout.regions.reduce(0) { $0 + $1.bytes.count }
        output.note("wrote and verified \(size) bytes")
        try await flasher.restart()
    }

    /// Flashes the board whose port is at `address`.
    static func flash(_ layout: FlashLayout, at address: PortAddress, _ output: Output) async throws {
        do {
            let port = try await Ports.open(address)
            try await flash(layout, over: port, clock: ContinuousClock(), output)
            await port.close()
        } catch {
            throw CommandFailure(error, .flashFailed)
        }
    }

    private static func describe(_ board: ConnectedBoard) -> String {
        let mac = board.macAddress.map { String(Int($0) + 0x100, radix: 16).dropFirst() }.joined(separator: ":")
        let flash = board.flashSize.map { " with \($0 >> 20) MB of flash" } ?? ""
        return "\(board.isVirtual ? "virtual " : "")\(board.chip.name) \(mac)\(flash)"
    }

    /// What to write for the image in `path`: a whole flash at its start, or an application where the Arduino partition
    /// table has it.
    package static func layout(imageFile path: String) throws -> FlashLayout {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure(.flashFailed, "the image \(path) could not be read")
        }
        let bytes = Array(data)
        let region: FlashLayout.Region
        if bytes.dropFirst(partitionTableOffset).starts(with: partitionTableMagic) {
            region = FlashLayout.Region(name: "flash", offset: 0, bytes: bytes)
        } else if bytes.first == imageMagic {
            region = FlashLayout.Region(name: "application", offset: applicationOffset, bytes: bytes)
        } else {
            throw CommandFailure(
                .flashFailed,
                "\(path): expected an application image (it begins with E9) or a whole flash image (with a partition table at 0x8000), got \(bytes.count) bytes that are neither",
                code: "flash.invalidImage")
        }
        return try FlashLayout([region])
    }

    private static let imageMagic: UInt8 = 0xE9
    private static let applicationOffset: UInt32 = 0x1_0000
    private static let partitionTableOffset = 0x8000
    private static let partitionTableMagic: [UInt8] = [0xAA, 0x50]
}
