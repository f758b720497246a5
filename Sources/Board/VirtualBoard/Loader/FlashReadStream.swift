import Crypto
import ESPProtocol

/// A running READ_FLASH: one packet at a time, each after the acknowledgement of the one before, then the digest.
struct FlashReadStream {
    private let packetSize: Int
    private let count: Int
    private var offset: Int
    private var sentCount = 0
    private var md5 = Insecure.MD5()

    /// Whether everything has been sent.
    private(set) var isFinished = false

    init(_ command: ReadFlash) {
        packetSize = Int(command.packetSize)
        count = Int(command.count)
        offset = Int(command.offset)
    }

    /// Processes an acknowledgement (`nil` at the beginning); returns the contents of the frames to send.
    mutating func advance(_ acknowledgement: [UInt8]?, _ flash: NORFlash) -> [[UInt8]] {
        // As in the stub, a frame that is not an acknowledgement ends the stream with the digest of the data sent.
        let isBroken = acknowledgement.map { $0.count != 4 } ?? false
        guard sentCount < count, !isBroken,
            let packet = try? flash.read(at: offset, count: min(packetSize, count - sentCount))
        else {
            isFinished = true
            return [Array(md5.finalize())]
        }
        md5.update(data: packet)
        offset += packet.count
        sentCount += packet.count
        return [packet]
    }
}
