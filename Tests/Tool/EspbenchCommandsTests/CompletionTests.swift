import Foundation
import Testing

/// What a shell is offered while a command is typed, asked for as the scripts of the shells do.
@Suite("Completions", .ownThreads)
struct CompletionTests {
    private func withProject(_ body: (URL) throws -> Void) throws {
        try withTemporaryFolder { folder in
            func write(_ text: String, _ path: String) throws {
                let file = folder.appending(path: path)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
            try write(
                """
                sketches: [home/*]
                benches:
                  nightly: {kind: virtual, seed: 2026}

                """, "espbench.yaml")
            for name in ["Lamp", "Lock"] { try write("void setup() {}\nvoid loop() {}\n", "home/\(name)/\(name).ino") }
            let steps = "steps: [{expect: {console: ready}}]"
            try write(
                "suite: Lamp\ntags: [light]\ncases:\n  - {name: 'dims to {n} %', tags: [slow], each: {n: 1...3}, \(steps)}\n",
                "home/Lamp/Suites/lamp.yaml")
            try write("suite: Lock\ncases:\n  - {name: opens, \(steps)}\n", "home/Lock/Suites/lock.yaml")
            try write(
                "suite: Odd\ncases:\n  - {name: 'odd $(touch planted) `touch planted` it''s;x', \(steps)}\n", "odd.yaml"
            )
            try write("suite: broken", "home/Lock/Suites/broken.yaml")
            try body(folder)
        }
    }

    /// The words offered for the last one.
    private func offers(_ asked: String, _ words: [String], _ folder: URL) throws -> [Substring] {
        let verb = words[0]
        let result = try EspbenchProcess(
            ["---completion", verb, "--", asked, "\(words.count)", "\(words.last?.count ?? 0)", "espbench"] + words,
            folder: folder
        ).run()
        #expect(result.code == 0 && result.errors.isEmpty, "\(result.errors)")
        return result.output.split(separator: "\n")
    }

    @Test("know sketches, cases, tags, benches and ports of the project, and leave out what cannot be read")
    func project() throws {
        try withProject { folder in
            #expect(try offers("positional@0", ["run", ""], folder) == ["Lamp", "Lock", "home"])
            #expect(
                try offers("positional@0", ["serve", "home/L"], folder) == ["Lamp", "Lock", "home/Lamp", "home/Lock"])
            #expect(try offers("--case", ["test", "--case", ""], folder) == ["dims to {n} %", "opens"])
            #expect(try offers("--case", ["test", "home/Lock/Suites/lock.yaml", "--case", ""], folder) == ["opens"])
            #expect(try offers("--tag", ["test", "--tag", ""], folder) == ["light", "slow"])
            #expect(try offers("--skip-tag", ["test", "--skip-tag", "s"], folder) == ["light", "slow"])
            #expect(try offers("--bench", ["test", "--bench", ""], folder) == ["nightly", "virtual"])
            #expect(try offers("--port", ["flash", "--port", ""], folder).first == "auto")
            let elsewhere = folder.appending(path: "elsewhere")
            try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
            #expect(try offers("--bench", ["test", "--bench", ""], elsewhere).contains("nightly"), "above it")
            let named = ["test", "--project", folder.path, "--case", ""]
            #expect(try offers("--case", named, URL(filePath: "/")) == ["dims to {n} %", "opens"])
            #expect(try offers("--case", ["test", "--case", ""], URL(filePath: "/")).isEmpty)
        }
    }

    @Test(
        "complete a word in bash",
        arguments: [
            ("run La", "Lamp"), ("build --target esp32c", "esp32c2 esp32c3 esp32c5 esp32c6"),
            ("test --case di", #"dims\ to\ \{n\}\ %"#),
            ("test odd.yaml --case od", #"odd\ \$\(touch\ planted\)\ \`touch\ planted\`\ it\'s\;x"#),
            ("test --project espbench.yaml --case op", "opens"),
        ])
    func bash(line: String, words: String) throws {
        try withProject { folder in
            let shell = """
                PATH=$(dirname "$1"):$PATH; source <("$@")
                COMP_LINE='espbench \(line)'; COMP_POINT=${#COMP_LINE}; COMP_WORDS=($COMP_LINE)
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _espbench espbench "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"; echo "${COMPREPLY[@]}"
                """
            let result = try EspbenchProcess(
                ["--generate-completion-script", "bash"], folder: folder,
                shell: "exec bash -c '\(shell.replacing("'", with: "'\\''"))' bash \"$@\""
            ).run()
            #expect(result.output == words + "\n", "\(result.errors)")
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "planted").path))
        }
    }
}
