import CommandSupport
import EspbenchCommands
import Foundation
import Testing

@Suite("Help about topics", .ownThreads)
struct HelpTopicTests {
    private static let commands = [
        CommandNames(["build"]), CommandNames(["image"], [CommandNames(["info", "image-info"])]),
        CommandNames(["test"]),
    ]

    @Test("is found by its name, and leaves the verbs to their own help")
    func known() throws {
        for topic in HelpTopic.allCases {
            #expect(try HelpTopic.requested(["help", topic.rawValue], commands: Self.commands) == topic)
        }
        for arguments in [
            [], ["help"], ["help", "test"], ["help", "image", "info"], ["help", "--help"], ["--version"],
            ["test", "x"], ["build"],
        ] {
            #expect(try HelpTopic.requested(arguments, commands: Self.commands) == nil, "\(arguments)")
        }
    }

    @Test(
        "about something unknown, and an unknown command, are errors that suggest the nearest word",
        arguments: [
            (["help", "suits"], "no help about 'suits' (did you mean 'suites'?), expected one of: "),
            (
                ["help", "nosuch"],
                "no help about 'nosuch', expected one of: build, image, test, install, project, suites, testing"
            ),
            (["help", "test", "tset"], "no help about 'tset', expected no more words"),
            (
                ["help", "image", "inof"],
                "no help about 'inof' (did you mean 'info'?), expected one of: info, image-info"
            ),
            (["tset"], "unknown command 'tset' (did you mean 'test'?), expected one of: build, image, test, help"),
        ])
    func unknown(arguments: [String], message: String) {
        let failure = #expect(throws: CommandFailure.self) {
            try HelpTopic.requested(arguments, commands: Self.commands)
        }
        #expect(failure?.status == .usage)
        #expect(failure?.message.hasPrefix(message) == true, "\(failure?.message ?? "")")
    }

    @Test("has a name that no verb has")
    func ambiguous() {
        #expect(HelpTopic.allCases.allSatisfy { !HelpTests.verbs.contains($0.rawValue) })
    }

    @Test(
        "is printed as data",
        arguments: [
            ("project", "## espbench.yaml"), ("suites", "# Suites"), ("host-core", "host core"), ("boards", "## Ports"),
        ])
    func pages(topic: String, text: String) throws {
        try withTemporaryFolder { folder in
            let result = try EspbenchProcess(["help", topic], folder: folder).run()
            #expect(result.code == 0, "\(result.errors)")
            #expect(result.output.contains(text))
            let unknown = try EspbenchProcess(["help", topic + "x"], folder: folder).run()
            #expect(unknown.code == ExitReason.usage.rawValue)
            #expect(unknown.errors.contains("did you mean '\(topic)'?"))
        }
    }
}
