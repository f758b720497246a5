import Foundation
import Synchronization

/// Where a command writes: data to standard output, everything about its work to standard error.
package final class Output: Sendable {
    package typealias Writer = @Sendable ([UInt8]) -> Void

    /// Whether the data is coloured.
    package let dataIsColoured: Bool
    private let writeData: Writer
    private let writeNote: Writer
    private let showsBar: Bool
    private let barIsShown = Mutex(false)

    /// An output of this process.
    convenience init(_ environment: Environment) {
        self.init(
            dataIsColoured: environment.allowsColour(environment.outputIsTerminal),
            showsBar: environment.allowsProgressBar, writeData: { Self.write($0, STDOUT_FILENO) },
            writeNote: { Self.write($0, STDERR_FILENO) })
    }

    /// An output that writes where the caller says.
    package init(dataIsColoured: Bool, showsBar: Bool, writeData: @escaping Writer, writeNote: @escaping Writer) {
        self.dataIsColoured = dataIsColoured
        self.showsBar = showsBar
        self.writeData = writeData
        self.writeNote = writeNote
    }

    private static func write(_ bytes: [UInt8], _ descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR && errno != EAGAIN {
                // Nobody reads; there is no one left to tell.
                return
            }
        }
    }

    /// Writes data.
    package func data(_ text: String) {
        data(Array(text.utf8))
    }

    /// Writes data.
    package func data(_ bytes: [UInt8]) {
        clearBar()
        writeData(bytes)
    }

    /// Writes a line about the work.
    package func note(_ line: String) {
        clearBar()
        writeNote(Array((line + "\n").utf8))
    }

    /// Shows how far something is: on a terminal a bar that the next output clears, elsewhere nothing.
    package func progress(_ title: String, completed: Int, of total: Int) {
        guard showsBar, total > 0 else { return }
        let width = 28
        let filled = min(width, width * completed / total)
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        let percent = 100 * min(completed, total) / total
        barIsShown.withLock { $0 = true }
        writeNote(Array("\r\u{1B}[K\(title) \(bar) \(percent) %".utf8))
    }

    private func clearBar() {
        let mustClear = barIsShown.withLock { isShown in
            defer { isShown = false }
            return isShown
        }
        if mustClear { writeNote(Array("\r\u{1B}[K".utf8)) }
    }
}
