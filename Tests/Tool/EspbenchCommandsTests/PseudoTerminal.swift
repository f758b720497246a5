import Foundation
import Synchronization

/// A pseudo-terminal: a pair of file descriptors, the second of which is the terminal.
final class PseudoTerminal: Sendable {
    let controller: Int32
    let terminal: Int32
    let path: String
    /// Each is closed once: its number may be another file's afterwards.
    private let openEnds: Mutex<Set<Int32>>

    struct Fault: Error {}

    init() throws {
        var ends: (controller: Int32, terminal: Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 1024)
        guard openpty(&ends.controller, &ends.terminal, &name, nil, nil) == 0 else { throw Fault() }
        (controller, terminal) = ends
        openEnds = Mutex([ends.controller, ends.terminal])
        path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether line editing and echo are on.
    var isCooked: Bool {
        var settings = termios()
        tcgetattr(terminal, &settings)
        return settings.c_lflag & tcflag_t(ICANON) != 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Sets the size of its window; programs whose controlling terminal it is get SIGWINCH.
    func resize(columns: UInt16, lines: UInt16) {
        var size = winsize(ws_row: lines, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(controller, UInt(TIOCSWINSZ), &size)
    }

    func type(_ bytes: [UInt8]) {
        _ = write(controller, bytes, bytes.count)
    }

    /// What ends reading when a program at the terminal ends, which the terminal alone does not tell while this test
    /// has it open, too.
    private static let endMark = "[the program has ended]"

    /// Lets reading end with `process`.
    func watch(_ process: Process) {
        process.terminationHandler = { [self] _ in
            openEnds.withLock { open in
                if open.contains(terminal) { _ = write(terminal, Self.endMark, Self.endMark.utf8.count) }
            }
        }
    }

    /// Its output up to and including `text`, or to the end of a program that is watched.
    func read(until text: String) -> String {
        var printed: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1024)
        while true {
            let soFar = String(decoding: printed, as: UTF8.self)
            guard !soFar.contains(text), !soFar.contains(Self.endMark) else { break }
            let count = Foundation.read(controller, &part, part.count)
            guard count > 0 else { break }
            printed += part[..<count]
        }
        return String(decoding: printed, as: UTF8.self)
    }

    /// Closes the controller's end, as the unplugging of a device does for programs at the terminal.
    func unplug() { closeOnce(controller) }

    func closeBoth() {
        closeOnce(controller)
        closeOnce(terminal)
    }

    private func closeOnce(_ end: Int32) {
        if openEnds.withLock({ $0.remove(end) }) != nil { close(end) }
    }
}
