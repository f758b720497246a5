import Bench
import Foundation

/// The file of a timeline.
enum TimelineFile {
    /// Creates the file at `path`, or empties it; returns what writes to it.
    static func sink(_ path: String) throws -> TimelineRecorder.Sink {
        guard FileManager.default.createFile(atPath: path, contents: nil) else {
            throw CommandFailure(.benchFault, "the timeline \(path) could not be made")
        }
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        return { try file.write(contentsOf: $0) }
    }
}
