import CZlib
import ESPChips
import ESPFlasher
import ESPImage
import ESPProtocol
import Testing

/// Common parts of scripts, and their data.
enum Scripts {
    typealias Step = ScriptedPort.Step

    static let virtualMAC: [UInt8] = [0x26, 0x0A, 0xC4, 1, 2, 3]
    static let realMAC: [UInt8] = [0x24, 0x0A, 0xC4, 1, 2, 3]

    /// A connection over a port without modem lines.
    static let connect: [Step] = [.rate(115_200), .sync()]

    /// The identification of an ESP32 with 4 MB of flash.
    static func identify(
        _ mac: [UInt8] = virtualMAC, flashID: UInt32 = 0x16_40C8, afterFault: Bool = false
    ) -> [Step] {
        [
            .refused(GetSecurityInfo(), .invalidMessage),
            .ok(ReadRegister(address: 0x4000_1000), .init(value: 0x00F0_1D83)),
            .ok(ReadRegister(address: 0x4000_1000), .init(value: 0x00F0_1D83)),
        ]
            + afterChip(.esp32, mac, flashID: flashID, afterFault: afterFault)
    }

    static func afterChip(
        _ chip: Chip, _ mac: [UInt8], flashID: UInt32, dialect: LoaderDialect = .rom, afterFault: Bool = false,
        writesSingly: Bool = false
    ) -> [Step] {
        let words = Chip.macWords(mac)
        let controller = chip.flashController
        func read(_ address: UInt32, _ value: UInt32) -> Step {
            .ok(ReadRegister(address: address), .init(value: value), dialect: dialect)
        }
        let steps: [Step] = [
            // Each twice: answers carry no checksum.
            read(chip.macAddressRegister, words.low), read(chip.macAddressRegister, words.low),
            read(chip.macAddressRegister + 4, words.high | 0x5A00_0000),
            read(chip.macAddressRegister + 4, words.high | 0x5A00_0000),
            .ok(AttachFlash(dialect: dialect), dialect: dialect),
        ]
        func write(_ writes: [WriteRegister.Write], singly: Bool) -> [Step] {
            (singly ? writes.map { [$0] } : [writes]).map { .ok(WriteRegister($0), dialect: dialect) }
        }
        func readID(_ id: UInt32, singly: Bool = false) -> [Step] {
            [read(controller.user, 0x11), read(controller.user2, 0x22)]
                + write(
                    [
                        .init(address: controller.user, value: 0x9000_0000),
                        .init(address: controller.user2, value: 0x7000_009F),
                        .init(address: controller.receiveLength, value: 23),
                        .init(address: controller.data0, value: 0),
                        .init(address: controller.command, value: 0x4_0000),
                    ], singly: singly)
                + [
                    read(controller.command, 0x4_0000), read(controller.command, 0),
                    read(controller.data0, 0xFF00_0000 | id),
                ]
                + write(
                    [.init(address: controller.user, value: 0x11), .init(address: controller.user2, value: 0x22)],
                    singly: singly)
        }
        // After a fault of the line it is read twice.
        var identified = steps
        if writesSingly { identified += readID(0) }
        identified += readID(flashID, singly: writesSingly) + (afterFault ? readID(flashID) : [])
        // Each operation ends with SYNC, so that an answer that came twice is noticed.
        guard flashID != 0, flashID != 0xFF_FFFF else {
            return identified + readID(flashID, singly: true) + [.sync(dialect)]
        }
        let fuses = chip != .esp32 ? [] : [read(0x3FF5_A000, 0), read(0x3FF5_A000, 0)]
        return identified + fuses + [
            .ok(SetFlashParameters(totalSize: 1 << (flashID >> 16)), dialect: dialect), .sync(dialect),
        ]
    }

    /// `count` bytes that do not compress.
    static func bytes(_ count: Int) -> [UInt8] {
        var state: UInt32 = 1
        return (0..<count).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(state >> 24)
        }
    }

    /// `compressed`, inflated by zlib.
    static func inflated(_ compressed: [UInt8], count: Int) throws -> [UInt8] {
        var result = [UInt8](repeating: 0, count: count)
        var length = uLong(count)
        #expect(uncompress(&result, &length, compressed, uLong(compressed.count)) == Z_OK)
        return Array(result.prefix(Int(length)))
    }
}

extension FlasherError {
    /// The error that `body` throws.
    static func of(_ body: () async throws -> Void) async -> FlasherError? {
        do {
            try await body()
            Issue.record("expected an error")
            return nil
        } catch {
            return error as? FlasherError
        }
    }
}
