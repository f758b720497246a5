import Foundation
import Synchronization

/// A pseudo-terminal: a pair of file descriptors, the second of which is the terminal.
final class PseudoTerminal: Sendable {
    private let isPlugged = Atomic(true)
    private let controller: Int32
    let terminal: Int32
    let path: String

    struct Fault: Error {}

    init() throws {
        var ends: (controller: Int32, terminal: Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 1024)
        guard openpty(&ends.controller, &ends.terminal, &name, nil, nil) == 0 else { throw Fault() }
        controller = ends.controller
        terminal = ends.terminal
        path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether line editing and echo are on.
    var isCooked: Bool {
        var settings = termios()
        tcgetattr(terminal, &settings)
        return settings.c_lflag & tcflag_t(ICANON) != 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }

    func type(_ bytes: [UInt8]) {
        _ = write(controller, bytes, bytes.count)
    }

    /// Its output up to and including `text`.
    func read(until text: String) -> String {
        var printed: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1024)
        while !String(decoding: printed, as: UTF8.self).contains(text) {
            let count = Foundation.read(controller, &part, part.count)
            guard count > 0 else { break }
            printed += part[..<count]
        }
        return String(decoding: printed, as: UTF8.self)
    }

    /// The end of a device that is removed. Its number may be another file's from then on.
    func unplug() {
        if isPlugged.exchange(false, ordering: .relaxed) { close(controller) }
    }

    func closeBoth() {
        unplug()
        close(terminal)
    }
}
