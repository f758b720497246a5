import ArgumentParser
import CommandSupport

/// The options for the address of a live page.
struct LivePageOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Serve the page on this TCP port; 0: any. (default: 0)", valueName: "port"),
        transform: NumberOption.port)
    var port: UInt16 = 0

    @Option(
        help: ArgumentHelp(
            "Keep the token of the page's address in this file, created if missing: with --port the address stays the same, and an open page reconnects by itself.",
            valueName: "file"),
        completion: .file())
    var tokenFile: String?

    @Flag(help: "Print the page's address as a JSON object.")
    var json = false
}
