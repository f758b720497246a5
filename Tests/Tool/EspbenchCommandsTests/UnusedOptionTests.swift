import ArgumentParser
import CommandSupport
import EspbenchCommands
import Foundation
import Testing

/// Options that a command would accept and ignore.
@Suite("An option without effect")
struct UnusedOptionTests {
    @Test(
        "is refused with 64 in the mode in which it has none, and accepted in others",
        arguments: [
            ("build", "--environment s3", "--target esp32"), ("build --target esp32", "--nimble library", nil),
            ("flash app.bin", "--target esp32", nil), ("flash app.bin --port auto", "--project p", nil),
            ("flash X --port auto", "--flash-file f", nil), ("flash X", "--baud 115200", "--port auto"),
            ("flash X", "--stub s.json", "--port auto"), ("flash X", "--no-stub", "--port auto"),
            ("flash X", "--before no-reset", "--port auto"), ("flash X", "--after no-reset", "--port auto"),
            ("flash X", "--connect-attempts 2", "--port auto"), ("flash X", "--partitions p.csv", "--port auto"),
            ("flash X", "--flash-size 4MB", "--port auto"), ("flash X", "--environment s3", "--port auto"),
            ("verify a.bin --port auto", "--environment s3", nil),
            ("image merge -o x.bin a.bin", "--environment s3", nil),
            ("image merge -o x.hex a.bin", "--pad-to-size 4MB", nil),
            ("image merge -o x a.bin --format hex", "--pad-to-size=4MB", nil),
            ("partitions p.csv", "--baud 115200", nil), ("partitions p.csv", "--no-stub", nil),
            ("monitor", "--baud 9600", "--port auto"), ("monitor", "--no-reconnect", "--port auto"),
            ("monitor --port auto", "--flash-file f", nil), ("monitor --json", "--timestamps host", nil),
            ("run X", "--baud 9600", "--port auto"), ("run X --port auto", "--flash-file f", nil),
            ("monitor", "--log-keep 3", "--log f"), ("monitor", "--log-size 3M", "--log f"),
            ("test --list", "--junit f", nil), ("test --list", "--fail-fast", nil), ("test --list", "--jobs 2", nil),
            ("test --list", "--update", nil),
            ("test --steps", "--tag a", nil), ("test --json", "--verbose", nil), ("test --list", "-q", nil),
            ("live --timeline f", "--project p", nil), ("live --board auto", "--project p", "X"),
            ("live X --board auto", "--nimble library", nil), ("serve --port auto", "--seed 1", nil),
            ("serve --port auto", "--line-rate", nil), ("serve --h4 0", "--project p", "X"),
            ("serve --h4 0", "--pty", "X"), ("serve --h4 0", "--flash-size 8MB", "X"),
            ("serve --h4 0", "--console", "X"), ("serve --h4 0", "--secure-download", "--chip esp32c3"),
            ("gatt p --compare d.yaml", "--describe e.yaml", nil), ("notify p c --as u8", "--describe e.yaml", nil),
            ("ble read p c --as raw", "--describe=e.yaml", nil), ("show f --json", "--describe e.yaml", nil),
            ("compare a b --json", "--all", nil),
        ])
    func refused(mode: String, option: String, otherMode: String?) throws {
        func words(_ text: String?) -> [String] { (text ?? "").split(separator: " ").map(String.init) }
        _ = try Espbench.command(words(mode))
        if let otherMode { _ = try Espbench.command(words(mode) + words(option) + words(otherMode)) }
        // A word after -- is an argument, such as a file of that name.
        do {
            _ = try Espbench.command(words(mode) + words(option))
            Issue.record("'\(mode) \(option)' was accepted")
        } catch {
            #expect(Espbench.exitCode(for: error) == ExitReason.usage.exitCode)
            let name = String(option.prefix { !" =".contains($0) })
            #expect(Espbench.message(for: error).hasPrefix(name), "\(Espbench.message(for: error))")
        }
    }

    @Test("is not declared: every property of a command's options is read somewhere")
    func used() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources/Tool")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter { $0.hasSuffix(".swift") }
        var texts: [String: String] = [:]
        for path in paths { texts[path] = try String(contentsOf: sources.appending(path: path), encoding: .utf8) }
        let declaration = #/@(?:Option|Flag|Argument|OptionGroup)\b[\s\S]*?\bvar\ (?<name>\w+)/#
        var (count, unused): (Int, [String]) = (0, [])
        for (path, text) in texts {
            let rest = Set(text.replacing(declaration, with: "").split { !($0.isLetter || $0.isNumber || $0 == "_") })
            for match in text.matches(of: declaration) {
                count += 1
                let isReadHere = rest.contains(match.name)
                let isReadElsewhere = texts.contains { $0.key != path && $0.value.contains(".\(match.name)") }
                if !isReadHere, !isReadElsewhere { unused.append("\(path): \(match.name)") }
            }
        }
        #expect(count > 150)
        #expect(unused == [])
    }
}
