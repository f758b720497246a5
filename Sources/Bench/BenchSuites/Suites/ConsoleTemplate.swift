/// How a console line must look, with places for parameters.
package enum ConsoleTemplate: Sendable {
    /// The whole line is this text.
    case line(TextTemplate)
    /// Some part of the line matches this regular expression; it is known to compile.
    case regex(String)
}
