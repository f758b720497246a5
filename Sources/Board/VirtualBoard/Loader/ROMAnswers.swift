import ESPProtocol

/// The buffer that a ROM sends its answers from, and its error variable.
///
/// A handler writes only what it has to say, and the rest is left from earlier answers: the value word of all but SYNC and
/// READ_REG, the last two status bytes, the data of a refused read, the opcode in the answer to a request that the ROM does
/// not know. Read in `UartDwnLdProc` of the ROMs of ESP32 and ESP32-C3, and recorded (`Tests/ESP/LoaderTraces`).
struct ROMAnswers {
    /// READ_FLASH_SLOW has the longest answer.
    private static let length = LoaderResponse.headerLength + ReadFlashSlow.replyLength + LoaderDialect.rom.statusLength

    /// Those whose handler sets the error variable to 0 when it succeeds; the others leave it.
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

    /// The frames of a refusal of `opcode`, whose answer has `dataLength` bytes of data, or of one that the ROM does not know,
    /// `nil`.
    mutating func refuse(_ opcode: LoaderOpcode?, _ code: LoaderErrorCode, dataLength: Int) -> [UInt8] {
        if let opcode { bytes[1] = opcode.rawValue }
        error = code
        return frames(dataLength: dataLength, status: 1)
    }

    /// As many frames as the opcode in the buffer has.
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
