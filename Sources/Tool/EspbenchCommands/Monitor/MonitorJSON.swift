import BenchModel
internal import Console

/// A monitor's output for programs: a JSON object on each line.
///
/// | event | fields |
/// |---|---|
/// | `line`, `partial` | `time_ms`, `text`; `level` and `tag` of a line of a log |
/// | `note` | `text`: a place of a crash, a lost or new connection |
/// | `end` | `reason`, `exit` |
enum MonitorJSON {
    /// A line, complete or not.
    static func line(_ line: MonitorView.Line, seconds: Double) -> [UInt8] {
        object(line.isComplete ? "line" : "partial") { json in
            json.key("time_ms")
            json.integer(Int64(seconds * 1000))
            if let log = line.log {
                json.string("level", log.level.letter)
                json.string("tag", log.tag)
            }
            json.string("text", line.text)
        }
    }

    /// A line of the monitor's own.
    static func note(_ text: String) -> [UInt8] {
        object("note") { $0.string("text", text) }
    }

    /// The end of the session.
    static func end(_ reason: ExitReason) -> [UInt8] {
        object("end") { json in
            json.string("reason", "\(reason)")
            json.key("exit")
            json.integer(Int64(reason.rawValue))
        }
    }

    private static func object(_ event: String, _ fields: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.string("event", event)
            fields(&json)
        }
        return json.bytes + [0x0A]
    }
}
