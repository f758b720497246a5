/// The compiler flags that a project may give its files: those that define, include, warn and optimise.
///
/// A build runs the compiler with the user's rights, often on somebody else's changes. Flags that start programs
/// (`-wrapper`, `-fplugin`, `-B`, `-fuse-ld`), write files (`-o`, `-MF`, `-fdump-…`, `-save-temps`) or pass arguments
/// on to other programs (`-Wl,`, `-Wa,`, `-Wp,`, `@FILE`, `-specs`) are refused. Flags are accepted by name, so a
/// compiler's new flags are refused, too. Include folders may be anywhere, as the sources may include any file by its
/// path.
struct BuildFlags {
    /// Macros and files to include: `-D`, `-U`, `-I`, `-include` and their like.
    private(set) var definitions: [String] = []
    /// Warnings, optimisation, the language's version and dialect.
    private(set) var tuning: [String] = []
    /// The words that are not accepted.
    private(set) var refused: [Refusal] = []

    /// A flag that is not accepted.
    struct Refusal {
        var flag: String
        /// The line in the text of the flags on which it begins, counted from 1.
        var line: Int
        /// The fault of the flag if its name is accepted.
        var reason = ""
    }

    /// All accepted flags. The position of ``tuning`` among them does not affect which files are included.
    var accepted: [String] { definitions + tuning }

    /// The flags in `text`, as a shell or a compiler's response file divides it.
    ///
    /// - Parameter folder: the folder to which relative paths of `-I` refer.
    init(_ text: String, folder: String) {
        let words = Self.words(text)
        var index = 0
        while index < words.count {
            let (word, line) = words[index]
            index += 1
            guard let kind = Self.withValue.first(where: word.hasPrefix) else {
                if Self.isTuning(word) { tuning.append(word) } else { refused.append(Refusal(flag: word, line: line)) }
                continue
            }
            var value = String(word.dropFirst(kind.count))
            if value.isEmpty {
                guard index < words.count else {
                    refused.append(Refusal(flag: word, line: line))
                    break
                }
                value = words[index].text
                index += 1
            }
            // The compiler's subprograms expand `@FILE` in a value, too, and accept any flag from that file.
            let isMacro = kind == "-D" || kind == "-U"
            guard isMacro ? value.first.map({ $0 == "_" || $0.isLetter }) == true : !value.hasPrefix("@") else {
                refused.append(Refusal(flag: "\(kind) \(value)", line: line))
                continue
            }
            let isFolder = !isMacro && kind != "-include" && kind != "-imacros"
            // The compiler would read a device or wait for a pipe without end.
            if !isMacro, !isFolder, FileTree.isSpecial(value.hasPrefix("/") ? value : "\(folder)/\(value)") {
                refused.append(Refusal(flag: "\(kind) \(value)", line: line, reason: FileTree.special))
                continue
            }
            if isFolder && !value.hasPrefix("/") { value = "\(folder)/\(value)" }
            definitions += kind.count == 2 ? [kind + value] : [kind, value]
        }
    }

    /// Flags with a value, in the same word or the next.
    private static let withValue = ["-include", "-imacros", "-iquote", "-isystem", "-idirafter", "-D", "-U", "-I"]

    private static func isTuning(_ word: String) -> Bool {
        if exact.contains(word) { return true }
        // "-Wl,": the arguments of another program.
        if word.hasPrefix("-W") { return !word.contains(",") && word.dropFirst(2).allSatisfy(isPlain) }
        if word.hasPrefix("-std=") { return word.dropFirst(5).allSatisfy(isPlain) }
        guard word.hasPrefix("-f") else { return false }
        let name = word.dropFirst(word.hasPrefix("-fno-") ? 5 : 2)
        guard let equals = name.firstIndex(of: "=") else { return dialects.contains(String(name)) }
        let value = name[name.index(after: equals)...]
        return limits.contains(String(name[..<equals])) && !value.isEmpty && value.allSatisfy(\.isNumber)
    }

    private static func isPlain(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "-+=_".contains(character))
    }

    private static let exact: Set<String> = [
        "-w", "-pedantic", "-pedantic-errors", "-ansi", "-O", "-O0", "-O1", "-O2", "-O3", "-Os", "-Og", "-Oz", "-Ofast",
        "-g", "-g0", "-g1", "-g2", "-g3", "-ggdb",
    ]

    /// `-fNAME` and `-fno-NAME`.
    private static let dialects: Set<String> = [
        "exceptions", "rtti", "permissive", "threadsafe-statics", "strict-aliasing", "strict-overflow", "wrapv",
        "trapv",
        "signed-char", "unsigned-char", "short-enums", "common", "char8_t", "sized-deallocation", "concepts",
        "coroutines",
        "jump-tables", "tree-switch-conversion", "merge-constants", "delete-null-pointer-checks", "omit-frame-pointer",
        "optimize-sibling-calls", "inline", "inline-functions", "inline-small-functions",
        "inline-functions-called-once",
        "unroll-loops", "unroll-all-loops", "peel-loops", "gcse", "ipa-cp", "ipa-sra", "crossjumping", "reorder-blocks",
        "tree-vectorize", "tree-loop-vectorize", "tree-slp-vectorize", "fast-math", "math-errno", "finite-math-only",
        "signed-zeros", "trapping-math", "rounding-math", "associative-math", "reciprocal-math",
        "unsafe-math-optimizations",
        "single-precision-constant", "function-sections", "data-sections", "stack-protector", "stack-protector-strong",
        "stack-protector-all", "builtin", "freestanding", "hosted", "ms-extensions", "diagnostics-show-caret",
        "diagnostics-show-option", "elide-constructors", "use-cxa-atexit", "visibility-inlines-hidden", "asm",
        "gnu-keywords",
        "strict-volatile-bitfields", "schedule-insns", "schedule-insns2", "ivopts", "tree-pre",
        "lax-vector-conversions",
    ]

    /// `-fNAME=NUMBER`.
    private static let limits: Set<String> = [
        "max-errors", "template-depth", "constexpr-depth", "constexpr-loop-limit", "constexpr-ops-limit",
        "inline-limit",
        "message-length", "template-backtrace-limit",
    ]

    /// Splits flags as a shell does: quotes group, a backslash keeps the next character.
    private static func words(_ text: String) -> [(text: String, line: Int)] {
        var words: [(text: String, line: Int)] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        var (line, start) = (1, 1)
        for character in text {
            if word == nil { start = line }
            if character.isNewline { line += 1 }
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if quote == nil, character.isWhitespace {
                if let finished = word { words.append((finished, start)) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return words + [word].compactMap { $0 }.map { ($0, start) }
    }
}
