import ArgumentParser
import LivePage
internal import BenchExecutor

/// `espbench live`.
struct Live: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show a bench in the browser, live: the board, the air, a phone and the timeline.",
        discussion: """
            Serves a page on this machine's loopback and prints its address, which has a secret token in it. Ends at \
            Ctrl-C.
            """)

    @Option(help: ArgumentHelp("Serve the page on this TCP port; 0: any.", valueName: "port"))
    var port: UInt16 = 0

    func run() throws {
        let environment = Environment.process
        let output = Output(environment)
        let port = port
        try CommandRunner.run(output) { _ in
            var generator = SystemRandomNumberGenerator()
            let token = AccessToken(using: &generator)
            let hub = LiveHub(run: "\(environment.wallTime())")
            let server = try LiveServing(port: port, token: token, hub: hub, routes: LiveRoutes(), output)
            try await server.run {}
            return .passed
        }
    }
}
