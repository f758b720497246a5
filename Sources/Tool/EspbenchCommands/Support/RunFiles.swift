import BenchModel

/// The files that a run writes on request: its timeline and its HCI packets.
struct RunFiles {
    private let timelineFile: OutputFile?
    private let timeline: TimelineWriter?
    private let capture: CaptureFile?

    /// Creates the files; write errors are reported to `output`.
    init(timeline path: String?, btsnoop: String?, seed: UInt64, _ output: Output) throws(CommandFailure) {
        let file = try path.map { path throws(CommandFailure) in try OutputFile(path, "timeline", output) }
        timelineFile = file
        timeline = file.map { file in TimelineWriter(seed: seed) { file.write($0) } }
        capture = try btsnoop.map { path throws(CommandFailure) in
            try CaptureFile(path, startingAt: 0, isBuffered: true, output)
        }
    }

    /// The observers that write them.
    var observers: [any RunObserver] {
        var observers: [any RunObserver] = []
        if let timeline { observers.append(timeline) }
        if let capture { observers.append(capture) }
        return observers
    }

    /// Completes the files.
    ///
    /// - Throws: when a file could not be written completely.
    func finish() throws {
        try timeline?.finish()
        try timelineFile?.finish()
        try capture?.finish()
    }
}
