import ByteCodec
import ESPProtocol

/// Finds SYNC commands among the bytes of a client that has no modem lines.
struct DownloadBridge {
    private var decoder = SLIPDecoder(limit: 64)

    mutating func containsSync(_ bytes: [UInt8]) -> Bool {
        decoder.decode(bytes).contains { event in
            guard case .frame(let frame) = event else { return false }
            var reader = ByteReader(frame, subject: "loader request")
            guard let request = try? LoaderRequest(from: &reader) else { return false }
            return request.opcode == .sync && (try? request.decode(Sync.self)) != nil
        }
    }
}
