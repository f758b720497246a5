public import ESPImage

/// The output of a boot, its times, and its outcome.
struct BootScript {
    /// Text, and its delay after the one before.
    struct Entry {
        var pause: Duration
        var text: String
    }

    /// The outcome of a boot.
    enum Outcome {
        /// The serial loader runs.
        case download
        /// The application runs.
        case application(BootedApplication)
        /// The chip resets itself, and boots again.
        case reset(ResetReason)
        /// Nothing runs until the next reset.
        case halt(String)
    }

    /// Why the chip boots.
    let reason: ResetReason
    private(set) var entries: [Entry] = []
    /// The outcome, after the last text and the last pause.
    var outcome = Outcome.halt("")
    /// The pause before the outcome.
    var lastPause = Duration.zero

    init(reason: ResetReason) {
        self.reason = reason
    }

    /// The pause before entry number `index`, or before the outcome.
    func pause(before index: Int) -> Duration {
        index < entries.count ? entries[index].pause : lastPause
    }

    /// Prints lines, each terminated by CR and LF.
    mutating func print(_ lines: String..., after pause: Duration = .zero) {
        print(lines: lines, after: pause)
    }

    /// Prints lines, each terminated by CR and LF.
    mutating func print(lines: [String], after pause: Duration = .zero) {
        entries.append(Entry(pause: pause, text: lines.map { $0 + "\r\n" }.joined()))
    }
}

/// An application that passed the bootloader's checks and the authentication.
public struct BootedApplication: Hashable, Sendable {
    /// The program to run.
    public var program: HostProgram
    /// The description in the image.
    public var description: AppDescription?
    /// The flash offset of the image.
    public var offset: UInt32
}
