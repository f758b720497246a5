public import ESPImage

/// What a boot prints, when, and what it ends in.
struct BootScript {
    /// Text, and how long after the former it is printed.
    struct Entry {
        var pause: Duration
        var text: String
    }

    /// What a boot ends in.
    enum Outcome {
        /// The serial loader waits.
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
    /// What it ends in, once the last text is out and the last pause over.
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

    /// Prints lines, each with CR and LF behind it.
    mutating func print(_ lines: String..., after pause: Duration = .zero) {
        entries.append(Entry(pause: pause, text: lines.map { $0 + "\r\n" }.joined()))
    }
}

/// An application that a board's bootloader found good and its user's own.
public struct BootedApplication: Hashable, Sendable {
    /// The program to run.
    public var program: HostProgram
    /// What the image says about itself.
    public var description: AppDescription?
    /// Where the image stands in flash.
    public var offset: UInt32
}
