/// The host core's headers, compiled once: they are most of the text of a small sketch.
///
/// GCC ignores a precompiled header when it does not suit: other macros on the command line that it uses, or something in
/// front of it.
enum PrecompiledHeader: CaseIterable {
    case arduino
    /// `Arduino.h` and `NimBLEDevice.h`.
    case bluetooth

    /// What the unit includes.
    var include: String {
        switch self {
        case .arduino: "Arduino.h"
        case .bluetooth: "espbench-NimBLEDevice.h"
        }
    }

    /// The header's text. Each is in a folder in front of the host core's.
    var text: String {
        switch self {
        case .arduino: "#include_next <Arduino.h>\n"
        case .bluetooth: "#include <Arduino.h>\n#include <NimBLEDevice.h>\n"
        }
    }

    /// Whether the host core has the headers.
    func isOffered(_ toolchain: HostToolchain, _ nimble: NimBLE) -> Bool {
        self == .arduino || Self.isHeader("NimBLEDevice.h", toolchain, nimble)
    }

    /// Whether the host core has the header `name`, for a program with `nimble`.
    private static func isHeader(_ name: String, _ toolchain: HostToolchain, _ nimble: NimBLE) -> Bool {
        toolchain.files.includeFolders(nimble).contains { FileTree.isFile("\($0)/\(name)") }
    }

    /// The one for a main file: with Bluetooth only when the file includes that before it defines anything and before
    /// headers of its own, so that nothing has another meaning.
    static func suitable(for text: [UInt8], _ toolchain: HostToolchain, _ nimble: NimBLE) -> PrecompiledHeader {
        guard toolchain.isGCC else { return .arduino }
        let source = SourceTokens(text)
        let firstToken = source.tokens.first?.range.lowerBound ?? text.count
        let opening = String(decoding: SourceTokens.withoutComments(text[..<firstToken]), as: UTF8.self)
        for line in opening.split(separator: "\n").map({ String($0).trimmed }) where !line.isEmpty {
            guard line.hasPrefix("#"), case let words = line.dropFirst().drop(while: \.isWhitespace),
                words.hasPrefix("include")
            else { return .arduino }
            let name = words.dropFirst("include".count).filter { !"<>\" \t".contains($0) }
            if name == "NimBLEDevice.h", bluetooth.isOffered(toolchain, nimble) { return .bluetooth }
            guard isHeader(name, toolchain, nimble) else { return .arduino }
        }
        return .arduino
    }
}

extension SourceTokens {
    /// `text`, which has no literals, without its comments.
    static func withoutComments(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var index = text.startIndex
        while index < text.endIndex {
            let pair = text[index..<min(index + 2, text.endIndex)]
            if pair.elementsEqual("/*".utf8) {
                index += 2
                while index < text.endIndex, !text[index...].starts(with: "*/".utf8) { index += 1 }
                index += 2
            } else if pair.elementsEqual("//".utf8) {
                while index < text.endIndex, text[index] != .newline { index += 1 }
            } else {
                result.append(text[index])
                index += 1
            }
        }
        return result
    }
}
