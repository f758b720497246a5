import ArgumentParser
import CommandSupport
import EspbenchCommands
import Testing

@Suite("esptool's spelling")
struct EsptoolSpellingTests {
    @Test(
        "becomes espbench's",
        arguments: [
            ("--port P flash_id", "flash-id --port P"), ("-p P -b 460800 chip_id", "chip-id --port P --baud 460800"),
            ("--chip auto --before no_reset read_flash 0 0x10 f", "read-flash --before no_reset 0 0x10 f"),
            ("--chip esp32 merge_bin -o f 0 a", "image merge-bin --chip esp32 --output f 0 a"),
            ("--chip esp32 image_info f", "image image-info f"),
            ("--baud=9600 --no-stub erase_flash", "erase-flash --baud=9600 --no-stub"),
            (
                "write_flash -z -fm dio -ff 80m -fs 4MB --flash_size=keep -e 0x0 a_b",
                "write-flash --flash-mode dio --flash-freq 80m --flash-size 4MB --flash-size=keep --erase-all 0x0 a_b --port auto"
            ),
            ("-p P write-flash @flash_args", "write-flash --port P --flash-mode dio 0x0 boot_loader.bin 0x8000 t.bin"),
            ("flash -p P -- --a_b", "flash --port P -- --a_b"),
            ("-p P -c esp32c3 write_flash -p -s -z 0x0 f", "write-flash --port P --chip esp32c3 --no-progress 0x0 f"),
            ("read-flash -p P 0 0x10 f", "read-flash --port P 0 0x10 f"),
            ("-p P write-flash --diff-with old.bin skip --force 0x0 f", "write-flash --port P --force 0x0 f"),
            ("-p P erase_region --force 0x9000 0x1000", "erase-region --port P --yes 0x9000 0x1000"),
            ("-p P erase-flash -ft NOR", "erase-flash --port P"),
            ("-p P verify-flash -d 0x0 f", "verify-flash --port P --diff 0x0 f"),
            ("-p P --no-stub -b 9600 load_ram f", "load-ram --port P f"),
            (
                "-p P merge-bin -t 0x1000 -f hex -o f 0 a",
                "image merge-bin --target-offset 0x1000 --format hex --output f 0 a"
            ),
            ("elf2image -e 3 -o f --elf-sha256-offset 0xb0 a", "image elf2image --output f --elf-sha256-offset 0xb0 a"),
        ])
    func translated(theirs: String, ours: String) throws {
        #expect(try Self.translated(theirs).arguments == ours.split(separator: " ").map(String.init))
    }

    @Test(
        "says why options have no effect",
        arguments: [
            ("-p P -t write-flash 0x0 f", "--trace has no effect: espbench does not print the packets of the loader"),
            (
                "-p P write-flash -s 0x0 f",
                "--skip-flashed has no effect: unchanged sectors are skipped unless --no-skip is given"
            ),
            ("-p P -b 9600 load-ram f", "--baud has no effect: the program begins at the 115200 baud of the loader"),
        ])
    func notes(words: String, note: String) throws {
        #expect(try Self.translated(words).notes == [note])
    }

    @Test(
        "refuses what espbench does not do, and says what to do",
        arguments: [
            ("-p P write-flash --encrypt 0x0 f", ExitReason.refused, "espbench does not write encrypted data"),
            ("write-flash -sc 6,17,8,11,16 0x0 f", .usage, "--spi-connection: espbench uses the pins"),
            ("-p P erase-flash -ft nand", .usage, "NOR flash only"),
            ("--port-filter vid=1 pid=2 flash-id", .usage, "'espbench ports' lists them"),
            ("dump_mem 0 4 f", .usage, "espbench has no dump-mem of esptool: use esptool"),
            ("-p P run", .usage, "'espbench monitor --reset' starts the board's application"),
        ])
    func refused(words: String, status: ExitReason, text: String) throws {
        let failure = try #require(throws: CommandFailure.self) { try Self.translated(words) }
        #expect(failure.status == status)
        #expect(failure.message.contains(text), "\(failure.message)")
    }

    /// Prints a line for each parameter of each command: command, kind, whether it is a flag, names.
    private static let listing = """
        from esptool import cli
        def walk(command, path):
            for p in command.params:
                kind = "argument" if p.param_type_name == "argument" else "all" if type(p).__name__ == "OptionEatAll" \
                    else "none" if p.is_flag else "one"
                print(path, kind, *p.opts)
            for name, sub in getattr(command, "commands", {}).items(): walk(sub, name)
        walk(cli, "-")
        print("commands", *cli.commands)
        """

    /// The installed esptool lists the options itself, so that a new one makes the test fail.
    @Test("covers all commands and options of the installed esptool")
    func complete() throws {
        let lines = try withTemporaryFolder { folder in
            let result = try ForeignProgram(code: Self.listing, folder: folder).run()
            #expect(result.code == 0, "\(result.errors)")
            return result.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        }
        #expect(lines.count > 100)
        let image = ["image-info": "info", "merge-bin": "merge", "elf2image": "make"]
        for line in lines where line[1] != "argument" && line[0] != "commands" {
            let (command, names) = (line[0] == "-" ? "write-flash" : line[0], line[2...])
            for name in names where EsptoolSpelling.isSpoken(command) {
                let own = line[0] == "-" ? nil : command
                let option = try #require(EsptoolOption.find(name, own, command, isPort: false), "\(command) \(name)")
                #expect("\(option.arity)" == line[1], "\(command) \(name)")
                #expect(names.contains(option.names[0]), "\(command) \(name)")
                // What is passed on is an option of espbench's.
                let help = image[command].map { Espbench.helpMessage(for: Self.subcommand(of: "image", $0)) }
                for own in option.spellings {
                    let text = help ?? Espbench.helpMessage(for: Self.verb(command))
                    #expect(text.contains("\(own) ") || text.contains("\(own)\n"), "\(command) \(own)")
                }
            }
        }
        for command in try #require(lines.last).dropFirst() {
            #expect(EsptoolSpelling.isKnown(command), "\(command)")
        }
    }

    private static func verb(_ name: String) -> any ParsableCommand.Type {
        command(name, in: Espbench.configuration.subcommands)
    }

    private static func subcommand(of verb: String, _ name: String) -> any ParsableCommand.Type {
        command(name, in: Self.verb(verb).configuration.subcommands)
    }

    private static func command(_ name: String, in all: [any ParsableCommand.Type]) -> any ParsableCommand.Type {
        all.first { $0._commandName == name || $0.configuration.aliases.contains(name) } ?? Espbench.self
    }

    @Test(
        "is not looked for elsewhere",
        arguments: [
            "", "--help", "--version", "-p", "test -q --sample 3 @x", "monitor --port P", "--port P monitor", "run a_b",
            "serve --pty_link x", "--unknown flash_id", "image info a_b", "run -p P",
        ])
    func untouched(words: String) throws {
        #expect(try Self.translated(words).arguments == words.split(separator: " ").map(String.init))
    }

    private static func translated(_ words: String) throws -> EsptoolSpelling {
        try EsptoolSpelling(words.split(separator: " ").map(String.init)) { path in
            path == "flash_args" ? "--flash_mode dio\n0x0 boot_loader.bin\n0x8000 t.bin\n" : ""
        }
    }
}
