import EspbenchCommands
import Foundation
import Testing

@Suite("Help about topics", .ownThreads)
struct HelpTopicTests {
    private static let verbs = ["build", "test"]

    @Test("is found by its name, and leaves the verbs to their own help")
    func known() throws {
        for topic in HelpTopic.allCases {
            #expect(try HelpTopic.requested(["help", topic.rawValue], verbs: Self.verbs) == topic)
        }
        for arguments in [
            [], ["help"], ["help", "test"], ["help", "--help"], ["--version"], ["test", "x"], ["build"],
        ] {
            #expect(try HelpTopic.requested(arguments, verbs: Self.verbs) == nil, "\(arguments)")
        }
    }

    @Test(
        "about something unknown, and an unknown command, are errors that suggest the nearest word",
        arguments: [
            (["help", "suits"], "no help about 'suits' (did you mean 'suites'?), expected one of: "),
            (["help", "nosuch"], "no help about 'nosuch', expected one of: build, test, project, suites, host-core"),
            (["help", "test", "tset"], "no help about 'tset' (did you mean 'test'?)"),
            (["tset"], "unknown command 'tset' (did you mean 'test'?), expected one of: build, test, help"),
        ])
    func unknown(arguments: [String], message: String) {
        let failure = #expect(throws: CommandFailure.self) {
            try HelpTopic.requested(arguments, verbs: Self.verbs)
        }
        #expect(failure?.status == .usage)
        #expect(failure?.message.hasPrefix(message) == true, "\(failure?.message ?? "")")
    }

    @Test(
        "is printed as data",
        arguments: [("project", "espbench.yaml has these keys"), ("suites", "# Suites"), ("host-core", "host core")])
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
