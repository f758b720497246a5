import CommandSupport
import EspbenchCommands
import Synchronization

/// An output whose texts a test reads.
final class CapturedOutput: Sendable {
    private let texts = Mutex<(data: String, notes: String)>(("", ""))

    var data: String { texts.withLock { $0.data } }
    var notes: String { texts.withLock { $0.notes } }

    func output(isColoured: Bool = false, showsBar: Bool = false, now: @escaping @Sendable () -> Duration = { .zero })
        -> Output
    {
        Output(
            dataIsColoured: isColoured, showsBar: showsBar, now: now,
            writeData: { bytes in self.texts.withLock { $0.data += String(decoding: bytes, as: UTF8.self) } },
            writeNote: { bytes in self.texts.withLock { $0.notes += String(decoding: bytes, as: UTF8.self) } })
    }
}
