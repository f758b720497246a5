import Foundation
import Synchronization

/// A browser's way through a ``LiveHub``: the frames of its event stream.
package final class LiveReader: Sendable {
    /// The last line that a browser has, as the `id` of its event stream says: `RUN:LINES`.
    package struct Position: Equatable {
        package var run: String
        /// How many lines it has.
        package var line: Int

        package init(run: String, line: Int) {
            self.run = run
            self.line = line
        }

        /// From a browser's Last-Event-ID; `nil` if it is none of ours.
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

    /// There may be news.
    package func wake() { resume { $0.hasNews = true } }

    /// The browser has gone.
    package func close() { hub.remove(self) }

    /// There will be no more.
    package func end() { resume { $0.isEnded = true } }

    private func resume(_ body: (inout State) -> Void) {
        let waiter = state.withLock { state in
            body(&state)
            return state.waiter.take()
        }
        waiter?.resume()
    }

    /// The next bytes of the stream, when there are some; `nil`: it is over. One caller at a time.
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
            // An address whose server is gone is tried again each second.
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
