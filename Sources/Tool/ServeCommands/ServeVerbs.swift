import ArgumentParser

/// The verbs that share a board or a bench, in the order of the help.
package enum ServeVerbs {
    package static let all: [any ParsableCommand.Type] = [
        Serve.self, Live.self, Attach.self,
    ]
}
