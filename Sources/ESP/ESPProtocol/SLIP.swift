/// The SLIP framing of the ESP serial protocol: its special bytes, and the encoder.
package enum SLIP {
    /// Begins and ends a frame.
    package static let end: UInt8 = 0xC0
    /// Begins an escape.
    package static let escape: UInt8 = 0xDB
    /// After ``escape``: a `C0` of the content.
    package static let escapedEnd: UInt8 = 0xDC
    /// After ``escape``: a `DB` of the content.
    package static let escapedEscape: UInt8 = 0xDD

    /// `content` as one frame, with both delimiters.
    package static func encode(_ content: some Collection<UInt8>) -> [UInt8] {
        var frame: [UInt8] = []
        frame.reserveCapacity(content.count + content.count / 16 + 2)
        frame.append(end)
        var rest = content[...]
        while let byte = rest.first {
            let run = rest.prefix { $0 != end && $0 != escape }
            if run.isEmpty {
                frame.append(escape)
                frame.append(byte == end ? escapedEnd : escapedEscape)
                rest = rest.dropFirst()
            } else {
                frame.append(contentsOf: run)
                rest = rest[run.endIndex...]
            }
        }
        frame.append(end)
        return frame
    }
}

/// Finds SLIP frames in a byte stream: `C0 … C0` with `DB DC` for `C0` and `DB DD` for `DB`
/// (ESP serial protocol, "Low Level Protocol"; RFC 1055).
///
/// Accepts bytes in chunks of any size. Bytes outside a frame (the boot log, line noise) are reported as noise. After a
/// lost or doubled `C0` the decoder resynchronizes within two frames, since empty frames are ignored.
package struct SLIPDecoder: Sendable {
    /// The parts of the stream.
    package enum Event: Hashable, Sendable {
        /// The unescaped bytes of a whole frame; never empty.
        case frame([UInt8])
        /// Bytes outside of frames.
        case noise([UInt8])
        /// A frame was discarded.
        case fault(Fault)
    }

    /// Why a frame was discarded.
    package enum Fault: Hashable, Sendable {
        /// It is longer than the decoder's limit, in bytes after unescaping.
        case tooLong(limit: Int)
        /// `DB` was followed by this byte, which is neither `DC` nor `DD`.
        case badEscape(UInt8)
    }

    private enum State {
        case outside
        case inside
        case escaped
        /// Inside a frame that is discarded up to its end.
        case skipping
    }

    private let limit: Int
    private var state = State.outside
    private var frame: [UInt8] = []

    /// A decoder outside of any frame.
    ///
    /// - Parameter limit: the longest accepted frame, in bytes after unescaping; a longer one is discarded without
    ///   buffering.
    package init(limit: Int) {
        self.limit = limit
    }

    /// True if part of a frame has been received.
    package var isInsideFrame: Bool { !frame.isEmpty || state == .escaped || state == .skipping }

    /// Decodes the next bytes of the stream, and returns the events they complete, in order.
    package mutating func decode(_ bytes: [UInt8]) -> [Event] {
        var events: [Event] = []
        var noise: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.first {
            if case .inside = state, let run = plainRun(of: rest) {
                // Appends a run of unescaped bytes at once.
                frame.append(contentsOf: run)
                rest = rest[run.endIndex...]
                continue
            }
            rest = rest.dropFirst()
            if case .outside = state {
                if byte == SLIP.end {
                    if !noise.isEmpty { events.append(.noise(noise)) }
                    noise = []
                    state = .inside
                } else {
                    noise.append(byte)
                }
            } else if let event = step(byte) {
                events.append(event)
            }
        }
        if !noise.isEmpty { events.append(.noise(noise)) }
        return events
    }

    /// The bytes at the beginning of `bytes` that need no unescaping and fit in the frame; `nil` if there are none.
    private func plainRun(of bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let run = bytes.prefix(limit - frame.count).prefix { $0 != SLIP.end && $0 != SLIP.escape }
        return run.isEmpty ? nil : run
    }

    /// Discards the incomplete frame.
    package mutating func reset() {
        state = .outside
        frame.removeAll(keepingCapacity: true)
    }

    private mutating func step(_ byte: UInt8) -> Event? {
        switch (state, byte) {
        case (.skipping, SLIP.end):
            reset()
        case (.skipping, _), (.outside, _):
            break
        case (.escaped, SLIP.escapedEnd):
            state = .inside
            return append(SLIP.end)
        case (.escaped, SLIP.escapedEscape):
            state = .inside
            return append(SLIP.escape)
        case (.escaped, SLIP.end):
            reset()
            return .fault(.badEscape(byte))
        case (.escaped, _):
            return skip(.badEscape(byte))
        case (.inside, SLIP.end):
            guard !frame.isEmpty else { return nil }
            defer {
                state = .outside
                frame = []
            }
            return .frame(frame)
        case (.inside, SLIP.escape):
            state = .escaped
        case (.inside, _):
            return append(byte)
        }
        return nil
    }

    private mutating func append(_ byte: UInt8) -> Event? {
        guard frame.count < limit else { return skip(.tooLong(limit: limit)) }
        frame.append(byte)
        return nil
    }

    private mutating func skip(_ fault: Fault) -> Event {
        frame.removeAll(keepingCapacity: true)
        state = .skipping
        return .fault(fault)
    }
}
