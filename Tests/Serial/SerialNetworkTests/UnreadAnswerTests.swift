import Foundation
import Synchronization
import TCP
import Testing

/// A peer that makes requests for ever, as telnet negotiation, and reads none of the answers.
@Suite(.timeLimit(.minutes(10))) struct UnreadAnswerTests {
    /// Answers each byte with 4096.
    private final class Answerer: TCPReceiver {
        let inbox = TCPInbox(name: "peer")
        let errors: AsyncStream<TCPError>
        let answered = Mutex(0)
        private let report: AsyncStream<TCPError>.Continuation

        init() {
            (errors, report) = AsyncStream.makeStream()
        }

        func receive(_ bytes: [UInt8]) throws(TCPError) -> [UInt8] {
            answered.withLock { $0 += bytes.count * 4096 }
            return [UInt8](repeating: 1, count: bytes.count * 4096)
        }

        func finish(_ error: TCPError) {
            report.yield(error)
            report.finish()
        }
    }

    /// The two ends of a connection; the second does not block.
    private func connect() throws -> (peer: Int32, own: Int32) {
        var ends: [Int32] = [-1, -1]
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        try #require(socketpair(AF_UNIX, stream, 0, &ends) == 0)
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        return (ends[0], ends[1])
    }

    @Test func aPeerThatReadsNoAnswersIsCutOff() async throws {
        let (peer, own) = try connect()
        let answerer = Answerer()
        let connection = TCPConnection(own, name: "peer", receiver: answerer)
        let sender = Thread {
            // Without a limit there would be 80 MB of answers.
            for _ in 0..<20_000 { guard send(peer, [0], 1, TCPSocket.sendFlags) == 1 else { break } }
            shutdown(peer, Int32(SHUT_WR))
        }
        sender.start()
        var found: TCPError?
        for await error in answerer.errors { found = error }
        #expect(found?.code == .disconnected)
        let detail = found?.detail ?? ""
        #expect(detail.hasPrefix("cut off: expected the peer to read the answers"), "\(detail)")
        #expect(answerer.answered.withLock { $0 } < 10_000_000)
        connection.close()
        close(peer)
    }

    @Test func aPeerThatReadsItsAnswersStaysConnected() async throws {
        let (peer, own) = try connect()
        let answerer = Answerer()
        let connection = TCPConnection(own, name: "peer", receiver: answerer)
        let isComplete = await withCheckedContinuation { continuation in
            Thread {
                var buffer = [UInt8](repeating: 0, count: 4096)
                var count = 0
                for _ in 0..<100 {
                    guard send(peer, [0], 1, 0) == 1 else { break }
                    count += max(0, recv(peer, &buffer, buffer.count, Int32(MSG_WAITALL)))
                }
                continuation.resume(returning: count == 409_600)
            }.start()
        }
        #expect(isComplete)
        connection.close()
        close(peer)
    }
}
