import ESPProtocol

/// The buffer from which a ROM sends its answers, and its error variable.
///
/// A handler writes only some fields; the others keep the bytes of earlier answers: the value word of all but SYNC and
/// READ_REG, the last two status bytes, the data of a refused read, the opcode in the answer to an unknown request.
/// Source: `UartDwnLdProc` of the ROMs of ESP32 and ESP32-C3, and recordings (`Tests/ESP/LoaderTraces`).
struct ROMAnswers {
    /// READ_FLASH_SLOW has the longest answer.
    private static let length = LoaderResponse.headerLength + ReadFlashSlow.replyLength + LoaderDialect.rom.statusLength

    /// The commands whose handler sets the error variable to 0 when it succeeds; the others do not change it.
    private static let clearingError: Set<LoaderOpcode> = [
        .sync, .writeRegister, .readRegister, .attachFlash, .readFlashSlow, .changeBaudRate, .flashMD5,
    ]

    private var bytes: [UInt8] = [LoaderResponse.direction] + [UInt8](repeating: 0, count: length - 1)
    /// The second status byte of the next answer, unless its handler sets another.
    private(set) var error = LoaderErrorCode(rawValue: 0)

    /// The frames of the answer to an accepted request, with `dataLength` bytes of data, of which `response` may have fewer.
    mutating func accept(_ response: LoaderResponse, dataLength: Int) -> [UInt8] {
        let data = response.body.dropLast(LoaderDialect.rom.statusLength)
        if response.opcode == .sync || response.opcode == .readRegister {
            for index in 0..<4 { bytes[4 + index] = UInt8(truncatingIfNeeded: response.value >> UInt32(index * 8)) }
        }
        bytes.replaceSubrange(LoaderResponse.headerLength..<LoaderResponse.headerLength + data.count, with: data)
        if Self.clearingError.contains(response.opcode) { error = LoaderErrorCode(rawValue: 0) }
        bytes[1] = response.opcode.rawValue
        return frames(dataLength: dataLength, status: 0)
    }

    /// The frames of a refusal of `opcode` (`nil`: an opcode unknown to the ROM), whose answer has `dataLength` bytes
    /// of data.
    mutating func refuse(_ opcode: LoaderOpcode?, _ code: LoaderErrorCode, dataLength: Int) -> [UInt8] {
        if let opcode { bytes[1] = opcode.rawValue }
        error = code
        return frames(dataLength: dataLength, status: 1)
    }

    /// The frames, as many as an answer to the opcode in the buffer has.
    private mutating func frames(dataLength: Int, status: UInt8) -> [UInt8] {
        let end = LoaderResponse.headerLength + dataLength
        bytes[2] = UInt8(dataLength + LoaderDialect.rom.statusLength)
        bytes[end] = status
        bytes[end + 1] = error.rawValue
        let frame = SLIP.encode(Array(bytes[..<(end + LoaderDialect.rom.statusLength)]))
        let count = bytes[1] == LoaderOpcode.sync.rawValue ? Sync.responseCount : 1
        return [[UInt8]](repeating: frame, count: count).flatMap(\.self)
    }
}

/// The buffer in which a ROM receives requests.
///
/// Its handlers read parameters at their offsets, without regard to the length in the header: if a frame is short, they
/// read the missing parameters of an earlier frame. Only the BEGIN commands and SPI_SET_PARAMS are refused for a wrong
/// length. Recorded (`Tests/ESP/LoaderTraces`).
struct ROMRequests {
    /// The number of bytes of the parameters; WRITE_REG and the data commands give it in the request.
    private static let lengths: [LoaderOpcode: Int] = [
        .sync: 4, .readRegister: 4, .attachFlash: 8, .readFlashSlow: 8, .changeBaudRate: 8, .flashMD5: 16,
        .memoryEnd: 8,
        .flashEnd: 4, .deflateEnd: 4, .securityInfo: 0,
    ]

    /// The number of bytes of one word in WRITE_REG.
    private static let registerWriteLength = 16

    private var buffer = [UInt8](repeating: 0, count: LoaderRequest.headerLength + 0x2000)

    /// The request that the handlers find after `frame` was received, as a frame whose header has its length.
    mutating func request(in frame: [UInt8]) -> [UInt8] {
        let count = min(frame.count, buffer.count)
        buffer.replaceSubrange(..<count, with: frame.prefix(count))
        let header = LoaderRequest.headerLength
        guard let length = length, header + length <= buffer.count else {
            return frame.count < header ? Array(buffer[..<header]) : frame
        }
        var request = Array(buffer[..<(header + length)])
        request[2] = UInt8(truncatingIfNeeded: length)
        request[3] = UInt8(truncatingIfNeeded: length >> 8)
        return request
    }

    /// The number of bytes of the parameters of the request in the buffer; `nil` where the header's length applies.
    private var length: Int? {
        let opcode = LoaderOpcode(rawValue: buffer[1])
        switch opcode {
        case .writeRegister:
            return (Int(buffer[2]) | Int(buffer[3]) << 8) / Self.registerWriteLength * Self.registerWriteLength
        case .memoryData, .flashData, .deflateData:
            let size = buffer[LoaderRequest.headerLength...].prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            return DataBlock.headerLength + size
        default: return Self.lengths[opcode]
        }
    }
}

/// A write in a ROM: FLASH_BEGIN and MEM_BEGIN set one, FLASH_DEFL_BEGIN another.
///
/// A ROM does not check that a write was begun: before the first BEGIN it uses the contents of the RAM. Recorded: a
/// block size of 0, which admits no data; in the ESP32-C3's plain write, a block size that admits any data. The address
/// then counts as outside of the flash: a ROM writes nothing there and reports no error.
struct ROMWrite {
    /// The largest block size that a BEGIN may announce.
    static let largestBlock: UInt32 = 0x1800

    /// The announced number of bytes.
    private let size: UInt32
    private let blockCount: UInt32
    private let blockSize: UInt32
    private let isBegun: Bool
    /// The flash encryption of the written bytes; `nil` in a plain write.
    let encryption: FlashCipher?
    /// The number of the expected block.
    private var sequence: UInt32 = 0
    private var received: UInt32 = 0
    /// The address of the next byte.
    private(set) var offset: Int

    /// The write before the first BEGIN, with the block size that is in the RAM.
    init(blockSize: UInt32) {
        self.blockSize = blockSize
        (size, blockCount) = (0, 0)
        (offset, encryption, isBegun) = (Int(UInt32.max), nil, false)
    }

    /// The write of a BEGIN.
    init(size: UInt32, blockCount: UInt32, blockSize: UInt32, offset: UInt32, encryption: FlashCipher? = nil) {
        self.size = size
        self.blockCount = blockCount
        self.blockSize = blockSize
        self.offset = Int(offset)
        self.encryption = encryption
        isBegun = true
    }

    /// True when the announced number of blocks was received.
    var hasAllBlocks: Bool { sequence == blockCount }
    /// True when the announced blocks, and exactly the announced bytes, have been written.
    var isComplete: Bool { isBegun && hasAllBlocks && received == size }

    /// Checks the next block, in the ROM's order: a block whose checksum is wrong counts.
    mutating func admit(
        _ block: DataBlock, checksum: UInt32, alignment: Int = 1
    ) throws(LoaderErrorCode) {
        guard block.sequence == sequence, block.payload.count <= Int(clamping: blockSize),
            block.payload.count.isMultiple(of: alignment)
        else { throw .invalidMessage }
        sequence &+= 1
        guard UInt8(truncatingIfNeeded: checksum) == UInt8(truncatingIfNeeded: LoaderChecksum.of(block.payload)) else {
            throw .invalidChecksum
        }
    }

    /// Counts `count` bytes as written, and advances the address by `step`.
    mutating func advance(_ count: Int, step: Int) {
        received &+= UInt32(clamping: count)
        offset += step
    }
}
