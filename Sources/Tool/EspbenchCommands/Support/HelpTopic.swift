internal import ArgumentParser
import BenchModel
import BenchProject
import FirmwareBuild

/// The names of a command, and its subcommands.
package struct CommandNames: Sendable {
    /// The name and the aliases.
    package var names: [String]
    /// The commands below it.
    package var subcommands: [CommandNames]

    package init(_ names: [String], _ subcommands: [CommandNames] = []) {
        (self.names, self.subcommands) = (names, subcommands)
    }

    init(_ command: any ParsableCommand.Type) {
        let configuration = command.configuration
        self.init([command._commandName] + configuration.aliases, configuration.subcommands.map { CommandNames($0) })
    }
}

/// What `espbench help TOPIC` prints, beside the help of the verbs.
package enum HelpTopic: String, CaseIterable {
    /// Where sketches and suites are found, and `espbench.yaml`.
    case project
    /// The reference of suites.
    case suites
    /// What sketches can use on the virtual bench.
    case hostCore = "host-core"

    /// The last lines of `espbench help`.
    static let list = """
        TOPICS
          espbench help project     where sketches, suites and libraries are found; espbench.yaml
          espbench help suites      the format of suites, and all steps
          espbench help host-core   what sketches can use on the virtual bench
        """

    /// The topic that a command line asks for.
    ///
    /// - Parameters:
    ///   - arguments: the command line without the program.
    ///   - commands: the commands.
    /// - Throws: a ``CommandFailure`` for help about something unknown, and for an unknown command.
    package static func requested(
        _ arguments: [String], commands: [CommandNames]
    ) throws(CommandFailure) -> HelpTopic? {
        let verbs = commands.flatMap(\.names)
        guard let first = arguments.first, !first.hasPrefix("-") else { return nil }
        guard first == "help" else {
            guard !verbs.contains(first) else { return nil }
            throw CommandFailure(
                .usage,
                "unknown command '\(first)'\(Suggestion.text(for: first, in: verbs + ["help"])), expected one of: \((verbs + ["help"]).joined(separator: ", "))",
                code: "usage.unknownCommand")
        }
        guard arguments.count > 1, !arguments[1].hasPrefix("-") else { return nil }
        if arguments.count == 2, let topic = HelpTopic(rawValue: arguments[1]) { return topic }
        var (level, topics) = (commands, HelpTopic.allCases.map(\.rawValue))
        for word in arguments.dropFirst() {
            guard let command = level.first(where: { $0.names.contains(word) }) else {
                let known = level.flatMap(\.names) + topics
                let expected = known.isEmpty ? "no more words" : "one of: \(known.joined(separator: ", "))"
                throw CommandFailure(
                    .usage, "no help about '\(word)'\(Suggestion.text(for: word, in: known)), expected \(expected)",
                    code: "usage.unknownCommand")
            }
            (level, topics) = (command.subcommands, [])
        }
        return nil
    }

    /// The text of the topic.
    ///
    /// - Throws: ``CommandFailure`` when its page is not there.
    func text(_ environment: Environment) throws -> String {
        switch self {
        case .project: return Self.projectText
        case .suites: return try Self.page("SUITES.md", environment)
        case .hostCore:
            let path = try environment.hostCore() + "/README.md"
            return try Self.text(of: path)
        }
    }

    /// A page of the documentation that comes with the program.
    private static func page(_ name: String, _ environment: Environment) throws -> String {
        let files = SystemFiles()
        let places = ["share/doc/espbench/Firmware/\(name)", "Firmware/\(name)"]
        for folder in ProjectFinder.folders(above: environment.executable) {
            for place in places where files.kind(of: "\(folder)/\(place)") == .file {
                return try text(of: "\(folder)/\(place)")
            }
        }
        throw CommandFailure(
            .benchFault, "the page \(name) is not beside the program \(environment.executable)",
            code: "build.hostCoreNotFound")
    }

    private static func text(of path: String) throws(CommandFailure) -> String {
        do throws(FileFault) {
            return try SystemFiles().text(of: path)
        } catch {
            throw CommandFailure(.benchFault, "\(path) could not be read: \(error)")
        }
    }

    private static let projectText = """
        A PROJECT is a folder with sketches, their suites and their libraries. 'espbench init' sets one up.

        It is the folder of the nearest espbench.yaml (or .espbench.yaml) above the sketch or suite, or above the
        working folder. Without such a file it is the repository (the nearest folder above with .git), or else the
        sketch that the working folder is in. --project names another one.

        SKETCHES are folders with an .ino of their name, as for arduino-cli, or with platformio.ini ('espbench help
        host-core' lists its keys). Commands take a folder, an .ino file, or the name of a sketch of the project;
        without argument the sketch that the working folder is in, or the project's only one.

        SUITES are found beside their sketches: every .yaml or .yml file in a folder Suites; in the sketch's folder,
        test and tests those with a key 'suite' or 'cases' at the beginning of a line. 'espbench test' runs all of
        the project's; its arguments are suites, sketches, or folders in which and below which suites are looked for.
        The key 'sketch' of a suite is a path relative to the suite's file, or the name of a sketch of the project;
        without it the suite is about the sketch that it is in.

        LIBRARIES are folders in 'libraries' of the project, and in that of the Arduino user folder.

        NIMBLE-ARDUINO is compiled like any library where it is installed: in the folder that ESPBENCH_NIMBLE names, by
        'dir' in the profile of sketch.yaml, in the project's libraries, or in the Arduino user folder. Without it, or with
        --nimble built-in, sketches for the virtual board have the host core's own NimBLE, an imitation of version 2.5.1.
        Reports say which of them it was.

        espbench.yaml has these keys, all optional; paths are relative to the file:

          sketches: [firmware/*]     # folders of sketches, or folders with sketches; *, ?, [a-z], ** for any folders
          suites: [tests]            # suites, and folders of them, in addition to those beside sketches
          libraries: [libraries]     # folders that hold libraries
          nimble: built-in           # or: library; as --nimble, which takes precedence
          benches:                   # for --bench NAME; 'default' is used without it
            default: {kind: virtual, seed: 7}
            nightly: {kind: virtual, seed: 2026}
            desk:                    # a board, and a Bluetooth stack of this machine, in real time
              kind: hardware
              board: /dev/ttyUSB0    # or usb:…, rfc2217://HOST:PORT (also espbench serve --rfc2217), auto
              central: bluez:hci0    # or h4:HOST:PORT (also espbench serve --h4), h4:/dev/TTY, corebluetooth; a list
                                     # of adapters, [bluez:hci0, bluez:hci1], for as many centrals at a time
              target: esp32          # what sketches are built for; virtual; auto (by default): what the board is
              time factor: 3         # each 'within' of a suite is so much longer; 1 by default
              retries: 1             # run a failed case again on a fresh board, at most so often; 0 by default
              fresh: erase           # a fresh case: NVS erased and reset (by default), or only: reset
              power: {on: CMD, off: CMD, within: 30 s}   # shell commands that switch the board's supply

        A BENCH ON HARDWARE runs one case at a time on one board, which is flashed once and reset by DTR and RTS. What it
        cannot do (faults on the air, buttons but BOOT, servo measurement; power without a switch; several centrals where
        the stack has one adapter), cases that need it are skipped for. A case that passes only when it is run again is
        reported as such; a crash of the firmware is never run again. Only the bonds that the bench makes are deleted on
        this machine. 'espbench compare' puts the results of two benches side by side.

        """
}
