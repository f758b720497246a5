import Foundation
import SerialPort
import SerialUSB

/// Performs commands on USB ports, read from standard input, one answer line each; for tests that run it where libusb
/// sees emulated devices.
@main
enum USBProbe {
    private static let usage = """
        list | watch N | open NAME ADDRESS [RATE] | read NAME MAXIMUM MS (-1: no limit) | collect NAME COUNT MS |
        write NAME HEX | pattern NAME COUNT | lines-of-source NAME COUNT | lines NAME DTR RTS | rate NAME RATE | discard NAME | traits NAME |
        flash NAME OFFSET COUNT | restart NAME | cancel-read NAME | cancel-write-away NAME | close NAME
        """

    static func main() async {
        var session = ProbeSession()
        while let line = await nextLine() {
            let words = line.split(separator: " ").map(String.init)
            guard let first = words.first else { continue }
            var answer: String
            do {
                answer = "ok " + (try await session.perform(first, Array(words.dropFirst())) ?? usage)
            } catch let error as SerialPortError {
                answer = "error \(error.code.rawValue) \(error.description)"
            } catch {
                answer = "error other \(error)"
            }
            FileHandle.standardOutput.write(Data((answer.replacing("\n", with: " ") + "\n").utf8))
        }
        await session.closeAll()
    }

    private static func nextLine() async -> String? {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: readLine()) }
        }
    }
}
