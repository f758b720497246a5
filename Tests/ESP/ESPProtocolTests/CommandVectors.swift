import ESPProtocol

/// A request as another program encodes it, and its command.
struct CommandVector: Sendable {
    let request: LoaderRequest
    let hex: String
    /// Decodes the data as its command, and encodes that again.
    let reencode: @Sendable (LoaderRequest) throws -> LoaderRequest

    init<Command: LoaderCommand>(_ command: Command, _ hex: String) {
        request = LoaderRequest(command)
        self.hex = hex
        reencode = { LoaderRequest(try $0.decode(Command.self)) }
    }
}

private let region = (size: UInt32(5000), offset: UInt32(0x1_0000))

/// At least one per entry of the command table; a test compares them.
///
/// They are recorded from esptool 5.6.0 by calling the methods of its loader classes (`ESP32ROM`, `ESP32StubLoader`,
/// `ESP32C3ROM`: `flash_begin(5000, 0x10000)`, `sync()`, …) with a serial port that records what is written.
/// GET_SECURITY_INFO and RUN_USER_CODE are encoded according to Espressif's "Serial Protocol" document, as are the
/// responses in `ResponseTests.swift`.
let commandVectors: [CommandVector] = [
    CommandVector(
        FlashBegin(FlashWriteRegion(eraseSize: region.size, blockCount: 5, blockSize: 0x400, offset: region.offset)),
        "c0000210000000000088130000050000000004000000000100c0"),
    CommandVector(
        FlashBegin(
            FlashWriteRegion(
                eraseSize: region.size, blockCount: 1, blockSize: 0x4000, offset: region.offset, isEncrypted: false)),
        "c000021400000000008813000001000000004000000000010000000000c0"),
    CommandVector(
        FlashData(DataBlock(sequence: 7, payload: [0xC0, 0xDB, 0x01])),
        "c000031300f500000003000000070000000000000000000000dbdcdbdd01c0"),
    CommandVector(FlashEnd(reboots: true), "c0000404000000000000000000c0"),
    CommandVector(FlashEnd(reboots: false), "c0000404000000000001000000c0"),
    CommandVector(
        MemoryBegin(size: 0x1800, blockCount: 1, blockSize: 0x1800, address: 0x400B_E000),
        "c0000510000000000000180000010000000018000000e00b40c0"),
    CommandVector(
        MemoryData(DataBlock(sequence: 0, payload: [0x11, 0x22, 0x33, 0x44])),
        "c000071400ab0000000400000000000000000000000000000011223344c0"),
    CommandVector(MemoryEnd(entryPoint: 0x400B_E5AC), "c0000608000000000000000000ace50b40c0"),
    CommandVector(MemoryEnd(entryPoint: nil), "c000060800000000000100000000000000c0"),
    CommandVector(
        Sync(),
        "c00008240000000000070712205555555555555555555555555555555555555555555555555555555555555555c0"),
    CommandVector(
        WriteRegister([.init(address: 0x3FF4_2000, value: 0x4_0000)]),
        "c000091000000000000020f43f00000400ffffffff00000000c0"),
    CommandVector(ReadRegister(address: 0x4000_1000), "c0000a04000000000000100040c0"),
    CommandVector(
        SetFlashParameters(totalSize: 4 << 20),
        "c0000b1800000000000000000000004000000001000010000000010000ffff0000c0"),
    CommandVector(AttachFlash(dialect: .rom), "c0000d0800000000000000000000000000c0"),
    CommandVector(AttachFlash(dialect: .stub), "c0000d04000000000000000000c0"),
    CommandVector(ReadFlashSlow(offset: 0x8000, count: 64), "c0000e0800000000000080000040000000c0"),
    CommandVector(ChangeBaudRate(newRate: 460_800, oldRate: 115_200), "c0000f0800000000000008070000c20100c0"),
    CommandVector(
        DeflateBegin(FlashWriteRegion(eraseSize: 0x1400, blockCount: 2, blockSize: 0x400, offset: region.offset)),
        "c0001010000000000000140000020000000004000000000100c0"),
    CommandVector(
        DeflateBegin(
            FlashWriteRegion(
                eraseSize: 0x1400, blockCount: 2, blockSize: 0x400, offset: region.offset, isEncrypted: false)),
        "c000101400000000000014000002000000000400000000010000000000c0"),
    CommandVector(
        DeflateData(DataBlock(sequence: 1, payload: [0x78, 0x9C, 0x03, 0x00]), inflatedCount: 0),
        "c0001114000800000004000000010000000000000000000000789c0300c0"),
    CommandVector(DeflateEnd(reboots: true), "c0001204000000000000000000c0"),
    CommandVector(
        FlashMD5(address: region.offset, size: region.size),
        "c0001310000000000000000100881300000000000000000000c0"),
    CommandVector(GetSecurityInfo(), "c00014000000000000c0"),
    CommandVector(EraseFlash(), "c000d0000000000000c0"),
    CommandVector(EraseRegion(offset: 0x9000, size: 0x1000), "c000d10800000000000090000000100000c0"),
    CommandVector(
        ReadFlash(offset: 0x9000, count: 0x1000, packetSize: 0x1000, maximumInFlight: 64),
        "c000d210000000000000900000001000000010000040000000c0"),
    CommandVector(RunUserCode(), "c000d3000000000000c0"),
]
