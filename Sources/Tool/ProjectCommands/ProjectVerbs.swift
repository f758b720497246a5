import ArgumentParser

/// The verbs of a project and its tests, in the order of the help.
package enum ProjectVerbs {
    package static let all: [any ParsableCommand.Type] = [
        Init.self, Test.self, Run.self, Show.self, Compare.self, Parts.self, Doctor.self, Clean.self,
    ]
}
