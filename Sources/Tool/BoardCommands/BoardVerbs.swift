import ArgumentParser

/// The verbs of boards and images, in the order of the help.
package enum BoardVerbs {
    package static let all: [any ParsableCommand.Type] = [
        Build.self, Flash.self, Monitor.self, PortsCommand.self, Info.self, Read.self, Verify.self, Erase.self,
        MD5.self, Partitions.self, Image.self, LoadRAM.self, LogCommand.self,
    ]
}
