import Foundation
import Synchronization

/// The current contents of the page: sections of state, each with only its newest value, and the console's last lines.
/// Any thread may change the contents; each browser reads the changes at its own pace. So the data for a slow browser
/// are bounded, and no thread waits for a browser: a slow one misses older values of a section, and gets the number of
/// console lines that it missed.
public final class LiveHub: Sendable {
    /// The maximum number of kept console lines.
    public static let lineLimit = 5000
    /// The maximum length of a console line, in characters; the rest is cut off.
    public static let lineLength = 1000

    private struct State {
        /// The sections as JSON, each with the number of its last change.
        var sections: [String: (json: String, change: Int)] = [:]
        var lastChange = 0
        /// The last lines as JSON, in a ring that starts at `firstIndex`.
        var lines: [String] = []
        var lineCount = 0
        var readers: [Int: LiveReader] = [:]
        var lastReader = 0
        var isEnded = false
    }

    /// Identifies this run; browsers may have shown an earlier run at the same address.
    public let run: String
    private let state = Mutex(State())

    /// A hub of a run.
    public init(run: String) { self.run = run }

    /// Sets a section; does nothing if the section already has this value.
    public func set(_ section: String, _ value: some Encodable) {
        guard let json = LiveJSON.text(value) else { return }
        change { state in
            guard state.sections[section]?.json != json else { return false }
            state.lastChange += 1
            state.sections[section] = (json, state.lastChange)
            return true
        }
    }

    /// Adds a line to the console.
    public func append(_ line: LiveLine) {
        var line = line
        if line.text.count > Self.lineLength { line.text = line.text.prefix(Self.lineLength) + "…" }
        guard let json = LiveJSON.text(line) else { return }
        change { state in
            if state.lines.count < Self.lineLimit {
                state.lines.append(json)
            } else {
                state.lines[state.lineCount % Self.lineLimit] = json
            }
            state.lineCount += 1
            return true
        }
    }

    private func change(_ body: (inout State) -> Bool) {
        let readers = state.withLock { body(&$0) ? Array($0.readers.values) : [] }
        for reader in readers { reader.wake() }
    }

    // MARK: Readers

    /// A reader for a browser that has received the lines of a run up to a position, or no lines.
    package func reader(after seen: LiveReader.Position?) -> LiveReader? {
        state.withLock { state in
            guard !state.isEnded else { return nil }
            state.lastReader += 1
            let reader = LiveReader(
                number: state.lastReader, hub: self,
                nextLine: seen?.run == run ? min(seen?.line ?? 0, state.lineCount) : 0)
            state.readers[reader.number] = reader
            return reader
        }
    }

    /// The number of browsers.
    package var readerCount: Int { state.withLock { $0.readers.count } }

    package func remove(_ reader: LiveReader) { state.withLock { $0.readers[reader.number] = nil } }

    /// Sends each browser data, so that closed connections are noticed.
    package func tick() {
        for reader in state.withLock({ Array($0.readers.values) }) { reader.wake() }
    }

    /// Ends all readers.
    public func end() {
        let readers = state.withLock { state in
            state.isEnded = true
            return Array(state.readers.values)
        }
        for reader in readers { reader.end() }
    }

    /// The maximum number of lines sent at a time.
    private static let batchSize = 500

    /// The sections that changed after `change`, and the lines from `line` on.
    package func news(after change: Int, from line: Int) -> LiveNews {
        state.withLock { state in
            let first = max(line, state.lineCount - state.lines.count)
            let end = min(state.lineCount, first + Self.batchSize)
            return LiveNews(
                sections: change == state.lastChange
                    ? [:] : state.sections.filter { $0.value.change > change }.mapValues(\.json),
                change: state.lastChange, missed: first - line, firstLine: first,
                lines: (first..<end).map { state.lines[$0 % Self.lineLimit] }, isComplete: end == state.lineCount)
        }
    }
}

/// The updates for a browser.
package struct LiveNews {
    /// JSON by section.
    package var sections: [String: String]
    /// The number of the last change that the update contains.
    package var change: Int
    /// The number of lines that the browser has missed.
    package var missed: Int
    /// The number of the first line.
    package var firstLine: Int
    /// The lines as JSON.
    package var lines: [String]
    /// True if there are no more lines.
    package var isComplete: Bool
}

/// JSON for browsers.
package enum LiveJSON {
    /// A value as JSON; keys in alphabetical order, so that equal values have equal texts. `nil` for a number that JSON
    /// cannot represent.
    package static func text(_ value: some Encodable) -> String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// A line of the console.
public struct LiveLine: Sendable, Encodable {
    /// The kind of a line.
    public enum Kind: String, Sendable, Encodable {
        /// The board sent it.
        case output = "out"
        /// A line that was typed on the page.
        case input = "in"
        /// A remark of the bench: a reset, a crash.
        case note
        /// A part of a crash: the panic's message, or its backtrace.
        case crash
    }

    /// The index of its board.
    public var board: Int
    /// The time in milliseconds of the bench's clock.
    public var time: Double
    /// The kind of the line.
    public var kind: Kind
    /// The line's text.
    public var text: String

    /// A line.
    public init(board: Int = 0, time: Double, kind: Kind, text: String) {
        self.board = board
        self.time = time
        self.kind = kind
        self.text = text
    }

    private enum CodingKeys: String, CodingKey {
        case board = "b"
        case time = "t"
        case kind = "k"
        case text = "s"
    }
}

/// A browser's reading position in a ``LiveHub``, and the frames of its event stream.
package final class LiveReader: Sendable {
    /// The last line that a browser has, from the `id` of its event stream: `RUN:LINES`.
    package struct Position: Equatable {
        package var run: String
        /// The number of lines that the browser has.
        package var line: Int

        package init(run: String, line: Int) {
            self.run = run
            self.line = line
        }

        /// Reads a browser's Last-Event-ID; `nil` if this page did not send it.
        package init?(_ text: String) {
            guard let colon = text.lastIndex(of: ":"), let line = Int(text[text.index(after: colon)...]), line >= 0
            else { return nil }
            self.init(run: String(text[..<colon]), line: line)
        }
    }

    private struct State {
        var isGreeted = false
        var change = 0
        var nextLine: Int
        var hasNews = true
        var isEnded = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    package let number: Int
    private let hub: LiveHub
    private let state: Mutex<State>

    package init(number: Int, hub: LiveHub, nextLine: Int) {
        self.number = number
        self.hub = hub
        state = Mutex(State(nextLine: nextLine))
    }

    /// Signals that there may be news.
    package func wake() { resume { $0.hasNews = true } }

    /// Removes the reader of a closed browser.
    package func close() { hub.remove(self) }

    /// Signals that no news will follow.
    package func end() { resume { $0.isEnded = true } }

    private func resume(_ body: (inout State) -> Void) {
        let waiter = state.withLock { state in
            body(&state)
            return state.waiter.take()
        }
        waiter?.resume()
    }

    /// Waits for the next bytes of the stream; `nil`: the stream has ended. One caller at a time.
    package func next() async -> Data? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    if state.hasNews || state.isEnded { return true }
                    state.waiter = continuation
                    return false
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            end()
        }
        let (isEnded, isGreeted, change, line) = state.withLock { state in
            defer {
                state.hasNews = false
                state.isGreeted = true
            }
            return (state.isEnded, state.isGreeted, state.change, state.nextLine)
        }
        guard !isEnded else { return nil }
        let news = hub.news(after: change, from: line)
        state.withLock { state in
            state.change = news.change
            state.nextLine = news.firstLine + news.lines.count
            if !news.isComplete { state.hasNews = true }
        }
        return Data(frames(news, isGreeted: isGreeted).utf8)
    }

    private func frames(_ news: LiveNews, isGreeted: Bool) -> String {
        var text = ""
        if !isGreeted {
            // After the loss of the server, the browser tries to reconnect every second.
            text += "retry: 1000\nevent: hello\ndata: {\"run\":\(LiveJSON.text(hub.run) ?? "\"\"")}\n\n"
        }
        for (section, json) in news.sections.sorted(by: { $0.key < $1.key }) {
            text += "event: set\ndata: {\"section\":\"\(section)\",\"value\":\(json)}\n\n"
        }
        if !news.lines.isEmpty || news.missed > 0 {
            text += "id: \(hub.run):\(news.firstLine + news.lines.count)\nevent: lines\n"
            text += "data: {\"first\":\(news.firstLine),\"missed\":\(news.missed),\"lines\":["
            text += news.lines.joined(separator: ",") + "]}\n\n"
        }
        return text.isEmpty ? ": \n\n" : text
    }
}
