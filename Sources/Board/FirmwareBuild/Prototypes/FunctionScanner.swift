/// Finds the functions that a sketch defines, for the prototypes that arduino-cli makes with ctags.
///
/// It reads the preprocessor's output, so functions in inactive branches are absent and macros are expanded. It parses
/// declarations as far as necessary and skips bodies, classes and namespaces. `extern "C"` blocks are entered.
struct FunctionScanner {
    /// A function definition at file scope that is not a member of a class or namespace.
    struct Definition: Equatable {
        var name: String
        /// True if it has default arguments, which must not be given twice.
        var hasDefaults: Bool
        /// The head without the body, on one line, with the linkage of the block around it.
        var prototype: String
        /// Name and parameters without white space: definition and declaration of one function have the same.
        var signature: String
        /// The path in the line markers, and the line on which the head begins, counted from 1.
        var file: String
        var line: Int
    }

    private(set) var definitions: [Definition] = []
    /// The signatures of functions that the sketch declares itself.
    private(set) var declared: Set<String> = []
    /// Declarations that end with a semicolon: their starts, and the names that they pass as `&f` or `(f)`.
    private(set) var uses: [(file: String, line: Int, names: Set<String>)] = []

    /// The classes and enumerations that the sketch declares, and their places.
    private(set) var types: [(name: String, file: String, line: Int)] = []

    private let source: SourceTokens
    private let isSketch: [Bool]
    private var tokens: [SourceToken] { source.tokens }
    private var index = 0
    private var linkages: [String] = []

    /// A part of a declaration: a token, or everything between matching brackets, with the brackets.
    private struct Part {
        var range: Range<Int>
        /// The opening bracket; empty for a token.
        var open: String
    }

    private var head: [Part] = [] {
        didSet { if head.isEmpty { kind = .unknown } }
    }

    /// The kind of a head, determined at braces that are not a function's body.
    private enum Kind {
        case unknown
        /// A type or a variable: the declaration ends with its semicolon.
        case other
        /// A constructor with a list of initialisers: the list ends before the body.
        case constructor
    }

    private var kind = Kind.unknown

    /// Scans the parts of `text` that come from `files` according to its line markers.
    init(_ text: [UInt8], files: Set<String>) {
        source = SourceTokens(text)
        isSketch = source.files.map(files.contains)
        while index < source.tokens.count { step() }
    }

    private func word(_ index: Int) -> String { source.string(tokens[index]) }

    private mutating func step() {
        guard isSketch[tokens[index].file] else {
            index += 1
            return
        }
        switch word(index) {
        case "(", "[": head.append(group())
        case "{": brace()
        case "}":
            index += 1
            if !linkages.isEmpty { linkages.removeLast() }
            head = []
        case ";":
            index += 1
            endDeclaration()
        default:
            head.append(Part(range: index..<index + 1, open: ""))
            index += 1
        }
    }

    private static let closing = ["(": ")", "[": "]", "{": "}"]

    /// Everything from the opening bracket at `index` to its end.
    private mutating func group() -> Part {
        let start = index
        var expected: [String] = []
        repeat {
            let text = tokens[index].kind == .punctuation ? word(index) : ""
            if let close = Self.closing[text] {
                expected.append(close)
            } else if text == expected.last {
                expected.removeLast()
            } else if text == "}", let open = expected.lastIndex(of: "}") {
                // A bracket is missing: continue behind the block.
                expected.removeSubrange(open...)
            }
            index += 1
        } while !expected.isEmpty && index < tokens.count
        return Part(range: start..<index, open: word(start))
    }

    private mutating func brace() {
        switch kind {
        case .other: head.append(group())
        case .constructor: initialiserOrBody()
        case .unknown: firstBrace()
        }
    }

    /// Behind a name the braces of `Led::Led() : pin{2}, state(0) { … }` are an initialiser, otherwise the body.
    private mutating func initialiserOrBody() {
        let isInitialiser = head.last.map { $0.open.isEmpty && (isWord($0) || isToken($0, ">")) } ?? false
        let block = group()
        if isInitialiser { head.append(block) } else { head = [] }
    }

    private mutating func firstBrace() {
        let words = head.map { $0.open.isEmpty ? word($0.range.lowerBound) : $0.open }
        if words.first == "extern", head.count == 2, tokens[head[1].range.lowerBound].kind == .literal {
            linkages.append("extern \(words[1]) ")
            index += 1
            head = []
        } else if words.first == "namespace" || words.starts(with: ["inline", "namespace"]) || words.first == "catch" {
            _ = group()
            head = []
        } else if let function = declarator(), !isVariable(function) {
            if words[function.parameters...].contains(":") {
                kind = .constructor
                initialiserOrBody()
                return
            }
            if let definition = definition(function) { definitions.append(definition) }
            _ = group()
            head = []
        } else if isOtherFunction(words) {
            head.append(group())
            endDeclaration()
        } else {
            noteType(words)
            // A class, an initialiser or a lambda: the declaration ends with its semicolon.
            kind = .other
            head.append(group())
        }
    }

    private func isToken(_ part: Part, _ text: String) -> Bool {
        part.open.isEmpty && word(part.range.lowerBound) == text
    }

    private func isWord(_ part: Part) -> Bool { part.open.isEmpty && tokens[part.range.lowerBound].kind == .word }

    /// True if `function` is in fact the first of several variables: `Led a(1), b{2};`.
    private func isVariable(_ function: Declarator) -> Bool {
        function.parameters + 1 < head.count && isToken(head[function.parameters + 1], ",")
    }

    /// True if a head without ``declarator()`` is that of a function, which gets no prototype: a specialisation
    /// `template <> int f<int>(int x)`, or one with parentheses, `int (*f(int x))(int)`.
    private func isOtherFunction(_ words: [String]) -> Bool {
        let own = words[behindTemplate(head[...]).startIndex...]
        return words.contains("(") && !words.contains("=") && !own.contains(where: Self.typeKeywords.contains)
    }

    private static let typeKeywords: Set<String> = ["class", "struct", "union", "enum"]

    /// Notes the type whose body begins here: the name behind the last keyword, before a colon.
    private mutating func noteType(_ words: [String]) {
        guard let keyword = words.lastIndex(where: Self.typeKeywords.contains) else { return }
        let behind = keyword + 1..<(words[keyword...].firstIndex(of: ":") ?? words.count)
        let name = behind.last { head[$0].open.isEmpty && tokens[head[$0].range.lowerBound].kind == .word }
        guard let name, let first = head.first else { return }
        let token = tokens[first.range.lowerBound]
        types.append((words[name], source.files[token.file], token.line))
    }

    private mutating func endDeclaration() {
        defer { head = [] }
        guard let first = head.first else { return }
        if !head.contains(where: { $0.open == "{" }), let function = declarator(), let parts = definition(function) {
            declared.insert(parts.signature)
        }
        let range = first.range.lowerBound..<(head.last?.range.upperBound ?? first.range.upperBound)
        var names: Set<String> = []
        for position in range.dropFirst() where tokens[position].kind == .word {
            let before = word(position - 1)
            let isAlone = before == "(" && position + 1 < tokens.count && word(position + 1) == ")"
            if before == "&" || isAlone { names.insert(word(position)) }
        }
        let token = tokens[range.lowerBound]
        if !names.isEmpty { uses.append((source.files[token.file], token.line, names)) }
    }

    /// A function declarator in the head: the start of its name, and its parameters.
    private struct Declarator {
        var name: Int
        var parameters: Int
        var isMember: Bool
    }

    private static let withParentheses: Set<String> = [
        "alignas", "__attribute__", "__attribute", "decltype", "noexcept", "throw", "asm", "__asm__", "explicit",
        "requires", "typeof", "__typeof__", "sizeof", "alignof", "if", "for", "while", "switch", "return", "catch",
    ]

    /// The function that the head declares; `nil` when it declares something else.
    private func declarator() -> Declarator? {
        let words = head.map { $0.open.isEmpty ? word($0.range.lowerBound) : "" }
        guard words.first != "typedef", words.first != "using" else { return nil }
        var angles = 0
        for (position, part) in head.enumerated() {
            let text = words[position]
            if text == "operator" { return operatorFunction(at: position) }
            if text == "=" && angles == 0 { return nil }
            if text == "<", position > 0, tokens[head[position - 1].range.lowerBound].kind == .word { angles += 1 }
            if text == ">", angles > 0 { angles -= 1 }
            guard part.open == "(", angles == 0, position > 0 else { continue }
            let name = head[position - 1]
            guard name.open.isEmpty, tokens[name.range.lowerBound].kind == .word,
                !Self.withParentheses.contains(words[position - 1])
            else { continue }
            // `Led::on`, `Led::~Led`
            let isQualified = position > 1 && ["::", "~"].contains(words[position - 2])
            guard isQualified || hasType(before: position - 1) else { return nil }
            return Declarator(name: position - 1, parameters: position, isMember: isQualified)
        }
        return nil
    }

    private func operatorFunction(at position: Int) -> Declarator? {
        // `operator()` has its parameters in the second group.
        guard let first = head[(position + 1)...].firstIndex(where: { $0.open == "(" }) else { return nil }
        let isCall = first == position + 1 && first + 1 < head.count && head[first + 1].open == "("
        let isMember =
            position > 0 && head[position - 1].open.isEmpty && word(head[position - 1].range.lowerBound) == "::"
        return Declarator(name: position, parameters: isCall ? first + 1 : first, isMember: isMember)
    }

    /// `parts` without the parameters of a template in front; empty when these have no end.
    private func behindTemplate(_ parts: ArraySlice<Part>) -> ArraySlice<Part> {
        guard let first = parts.first, isToken(first, "template") else { return parts }
        var depth = 0
        let end = parts.firstIndex { part in
            if isToken(part, "<") { depth += 1 }
            if isToken(part, ">") { depth -= 1 }
            return depth == 0 && isToken(part, ">")
        }
        return end.map { parts[($0 + 1)...] } ?? parts[parts.endIndex...]
    }

    private static let specifiers: Set<String> = ["static", "inline", "extern", "constexpr", "virtual", "friend"]

    /// True if a type precedes the name at `position`: otherwise the name is a macro or a constructor.
    private func hasType(before position: Int) -> Bool {
        let rest = behindTemplate(head[..<position])
        return rest.contains { part in
            part.open.isEmpty && tokens[part.range.lowerBound].kind == .word
                && !Self.specifiers.contains(word(part.range.lowerBound))
                && !Self.withParentheses.contains(word(part.range.lowerBound))
        }
    }

    /// The definition with the declarator `function`; `nil` for a member.
    private func definition(_ function: Declarator) -> Definition? {
        guard !function.isMember, let first = head.first else { return nil }
        var end = head.count
        if let last = head.last, last.open.isEmpty, word(last.range.lowerBound) == "try" { end -= 1 }
        let name = text(head[function.name..<function.parameters])
        let token = tokens[first.range.lowerBound]
        let template = first.range.lowerBound..<head[function.name].range.lowerBound
        return Definition(
            name: name, hasDefaults: hasDefaults(template) || hasDefaults(head[function.parameters].range),
            prototype: (linkages.last ?? "") + text(head[..<end]),
            signature: (name + text(head[function.parameters...function.parameters])).filter { !$0.isWhitespace },
            file: source.files[token.file], line: token.line)
    }

    private func hasDefaults(_ range: Range<Int>) -> Bool { range.contains { word($0) == "=" } }

    /// The parts' tokens on one line, with a space where the source has white space or a comment.
    private func text(_ parts: ArraySlice<Part>) -> String {
        guard let first = parts.first, let last = parts.last else { return "" }
        var result = ""
        for position in first.range.lowerBound..<last.range.upperBound {
            if position > first.range.lowerBound,
                tokens[position - 1].range.upperBound < tokens[position].range.lowerBound
            {
                result += " "
            }
            result += word(position)
        }
        return result
    }
}

/// The names of a sketch's functions, for comparison with other tools.
package enum FunctionNames {
    /// The functions that `text` defines in `file` at file scope.
    package static func prototyped(_ text: [UInt8], file: String) -> [String] {
        FunctionScanner(text, files: [file]).definitions.map(\.name)
    }
}
