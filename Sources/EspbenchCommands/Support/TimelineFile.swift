import Bench
import Foundation

/// The file of a timeline.
enum TimelineFile {
    /// Creates the file at `path`, or empties it; returns what writes to it.
    static func sink(_ path: String) throws -> TimelineRecorder.Sink {
        let file = try OutputFile.create(path, "timeline")
        return { try file.write(contentsOf: $0) }
    }
}
