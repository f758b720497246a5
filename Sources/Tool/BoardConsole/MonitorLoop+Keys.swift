import CommandSupport
internal import Console
internal import LogFiles

extension MonitorLoop {
    private static let help = """
        Ctrl-]         leave
        Ctrl-T, then:
          r   reset the board            b   reset it into its loader
          p   hold the output, or show   f   filter, e.g. wifi:W *:I
          l   begin or end the log       e   what Enter sends: lf, cr, crlf
          v   view: text, hex, raw       t   time stamps: board, host, delta, none
          c   send Ctrl-C to the board   q, x   leave
          h   these keys
          Ctrl-T, Ctrl-]   send these keys to the board
        """

    /// Performs the action of a key.
    mutating func perform(_ action: MonitorKeys.Action) {
        switch action {
        case .send(let bytes): send(bytes)
        case .leave: leave()
        case .help: say(Self.help)
        case .reset: order(.reset(intoLoader: false))
        case .bootloader: order(.reset(intoLoader: true))
        case .pause: pause()
        case .log: toggleLog()
        case .lineEnding(let ending): say("Enter sends \(ending.rawValue)")
        case .view:
            view.kind = view.kind.next
            say("view: \(view.kind.rawValue)")
        case .stamps:
            view.stamps.kind = view.stamps.kind.next
            say("time stamps: \(view.stamps.kind.rawValue)")
        case .prompt, .echo, .filter, .cancel: prompt(action)
        case .unknown: say("no command is behind this key; Ctrl-T Ctrl-H shows the keys")
        }
    }

    private mutating func send(_ bytes: [UInt8]) {
        if !input.isFull {
            isInputLost = false
            order(.send(bytes))
        } else if !isInputLost {
            isInputLost = true
            say("not sent: the port does not accept what was typed before")
        }
    }

    private mutating func pause() {
        if isPaused {
            isPaused = false
            display([])
        } else {
            say("the output is held; Ctrl-T p shows it")
            isPaused = true
        }
    }

    private mutating func prompt(_ action: MonitorKeys.Action) {
        switch action {
        case .prompt:
            say("filter, now '\(view.filter.text)'; for example wifi:W *:I, nothing shows all")
            type("filter: ")
            isPrompting = true
        case .echo(let text): type(text)
        case .filter(let text):
            type("\n")
            do throws(LogFilter.Fault) {
                view.filter = try LogFilter(text)
            } catch {
                say(error.description)
            }
            isPrompting = false
            display([])
        default:
            type("\n")
            isPrompting = false
            display([])
        }
    }

    private mutating func toggleLog() {
        do {
            if let path = log?.path {
                try endLog()
                say("the log \(path) is ended")
            } else {
                let path = settings.log ?? "espbench-\(now(marks: ("", "-", ""))).log"
                try beginLog(path)
                say("logging to \(path)")
            }
        } catch {
            say(CommandFailure(error, .benchFault).message)
        }
    }
}

extension CaseIterable where Self: Equatable {
    /// The next case; after the last case, the first.
    fileprivate var next: Self {
        let cases = Array(Self.allCases)
        let index = cases.firstIndex(of: self).map { cases.index(after: $0) } ?? cases.startIndex
        return cases[index % cases.count]
    }
}
