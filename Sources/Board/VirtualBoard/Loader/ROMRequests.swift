import ESPProtocol

/// The buffer that a ROM receives requests in.
///
/// Its handlers take their parameters from where they belong, whatever the header says about their length: what a short
/// frame does not have is left from an earlier one. Only the BEGINs and SPI_SET_PARAMS are refused for their length.
/// Recorded (`Tests/ESP/LoaderTraces`).
struct ROMRequests {
    /// The parameters' number of bytes; those of WRITE_REG and of the data are counted in the request.
    private static let lengths: [LoaderOpcode: Int] = [
        .sync: 4, .readRegister: 4, .attachFlash: 8, .readFlashSlow: 8, .changeBaudRate: 8, .flashMD5: 16,
        .memoryEnd: 8,
        .flashEnd: 4, .deflateEnd: 4, .securityInfo: 0,
    ]

    /// The number of bytes of one word in WRITE_REG.
    private static let registerWriteLength = 16

    private var buffer = [UInt8](repeating: 0, count: LoaderRequest.headerLength + 0x2000)

    /// The request that the handlers find when `frame` has come, as a frame whose header says its length.
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

    /// The number of bytes of the parameters of the request in the buffer; `nil` where the header's counts.
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
