import FirmwareBuild
import Foundation
import Testing

private let ctags = "/usr/bin/ctags-universal"
private let hasCtags = FileManager.default.isExecutableFile(atPath: ctags)

/// The functions that get prototypes, compared with those that ctags finds: arduino-cli makes prototypes of a ctags's.
@Suite(.enabled(if: hasCtags, "universal-ctags is not installed"))
struct PrototypeJudgeTests {
    /// All sketches of the repository.
    static let sketches: [String] = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardizedFileURL
        return ["Firmware", "Tests"].flatMap { folder -> [String] in
            let files = FileManager.default.enumerator(atPath: root.path + "/" + folder)
            return (files?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".ino") }.map {
                "\(root.path)/\(folder)/\($0)"
            }
        }.sorted()
    }()

    @Test func thereAreSketchesToCompare() {
        #expect(Self.sketches.count > 20)
    }

    @Test(arguments: sketches)
    func theSketchesOfTheRepositoryAgree(_ path: String) throws {
        try compare(try Data(contentsOf: URL(filePath: path)).map { $0 })
    }

    @Test func theFunctionsOfADenseSketchAgree() throws {
        try compare(
            Array(
                """
                #include <Arduino.h>
                struct Point { int x; Point() : x(0) { } int get() const { return x; } };
                enum Mode { A, B };
                class Led { public: void on(); static int count; };
                void Led::on() { }
                int Led::count = 0;
                void setup() { if (true) { for (;;) { } } }
                void loop() { auto f = [](int a) { return a; }; f(1); }
                static int one(void) { return 1; }
                inline Point two(const Point &p, enum Mode m) { return p; }
                const char *three(char *argv[], int (*g)(int)) { return "void no() {"; }
                unsigned long long
                four(
                    int a,
                    int b)
                { return '{'; }
                std::vector<std::pair<int, int>> five(std::map<String, int> &m) { return {}; }
                extern "C" { int six(int x) { return x; } }
                extern "C" void seven() { }
                namespace hidden { int no() { return 1; } }
                void IRAM_ATTR eight() { }
                int table[2][2] = {{1, 2}, {3, 4}};
                String *nine() { return nullptr; } // int no() { }
                """.utf8))
    }

    private func compare(_ text: [UInt8]) throws {
        let preprocessor = SketchPreprocessor([SketchPreprocessor.Tab(path: "/s.ino", bytes: text)])
        let mine = Set(FunctionNames.prototyped(preprocessor.merged, file: "/s.ino"))
        let file = FileManager.default.temporaryDirectory.appending(path: "espbench-\(UUID().uuidString).cpp")
        try Data(text).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(filePath: ctags)
        process.arguments = [
            "-u", "--language-force=c++", "-f", "-", "--c++-kinds=f", "--fields=Ks", "-I", "IRAM_ATTR", file.path,
        ]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        // NAME FILE PATTERN KIND SCOPE…: with a scope it is a member.
        let theirs = output.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }.filter { fields in
            !fields.contains { $0.hasPrefix("class:") || $0.hasPrefix("struct:") || $0.hasPrefix("namespace:") }
        }.compactMap(\.first).filter { !$0.hasPrefix("__anon") }
        #expect(mine == Set(theirs))
    }
}
