/// A header that the compiler did not find.
struct MissingHeader: Hashable, Sendable {
    /// As written between the brackets or quotes.
    var header: String
    /// The file with the `#include`, with line and column: `FILE:3:10`.
    var place: String
    /// The lines of the compiler that say how that file is included.
    var context: [String]

    /// Reads the messages of g++ or clang++; `nil` when they are about something else.
    init?(_ output: String) {
        var context: [String] = []
        for line in output.split(whereSeparator: \.isNewline).map(String.init) {
            if line.hasPrefix("In file included from ") || line.hasPrefix("                 from ") {
                if line.hasPrefix("In") { context = [] }
                context.append(line)
            }
            guard let range = line.firstRange(of: ": fatal error: ") else { continue }
            let message = line[range.upperBound...]
            place = String(line[..<range.lowerBound])
            self.context = context
            if let end = message.firstRange(of: ": No such file or directory") {
                header = String(message[..<end.lowerBound])
                return
            }
            if message.hasPrefix("'"), message.hasSuffix("' file not found") {
                header = String(message.dropFirst().dropLast("' file not found".count))
                return
            }
            return nil
        }
        return nil
    }

    /// The path of the file with the `#include`.
    var file: String {
        place.split(separator: ":", omittingEmptySubsequences: false).dropLast(2).joined(separator: ":")
    }
}
