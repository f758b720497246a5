import FirmwareBuild
import Foundation
import Testing

extension String {
    /// The first of `texts` that is not after the one before it.
    func firstMissing(of texts: [String]) -> String? {
        var rest = self[...]
        for text in texts {
            guard let found = rest.range(of: text) else { return text }
            rest = rest[found.upperBound...]
        }
        return nil
    }
}

extension BuiltFirmware {
    /// The source lines of the first backtrace in `console`, as addr2line finds them.
    func decodedBacktrace(in console: String) throws -> [String] {
        let line = try #require(
            console.split(separator: "\r\n").first { $0.hasPrefix("Backtrace:") })
        // A program that runs at any address is shown in the ESP32's code range.
        let base = UInt32(Addr2line(program: compiled.symbols).base)
        let addresses = try line.split(separator: " ").dropFirst().map { frame in
            let text = try #require(frame.split(separator: ":").first)
            return "0x" + String(try #require(UInt32(text.dropFirst(2), radix: 16)) - base, radix: 16)
        }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["addr2line", "-e", compiled.symbols] + addresses
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: output, as: UTF8.self).split(separator: "\n").map {
            String($0.split(separator: " ").first ?? "")
        }
    }
}
