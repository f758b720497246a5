import BenchModel
import BenchReports
import CommandSupport
import EspbenchCommands
import Testing

@Suite("Places in messages")
struct DiagnosticTests {
    private func places(_ message: String) -> [String] {
        CommandFailure(.buildFailed, message).diagnostics.map(\.description)
    }

    @Test("are those of a compiler's and a linker's errors, each once")
    func compiler() {
        #expect(
            places(
                """
                Lamp does not compile
                In file included from Lamp.ino:1:
                Lamp/Lamp.ino: In function 'void setup()':
                Lamp/Lamp.ino:5:3: error: 'x' was not declared: y
                    5 |   x();
                      |   ^
                Lamp/Lamp.ino:5:3: error: 'x' was not declared: y
                Lamp/Lamp.ino:6:1: warning: unused parameter
                Lamp/Lamp.ino:6:1: note: here
                src/My Colour.cpp:7:10: fatal error: Foo.h: No such file or directory
                /usr/bin/ld: Lamp/Lamp.ino:9: undefined reference to `later()'
                collect2: error: ld returned 1 exit status
                """) == [
                    "Lamp/Lamp.ino:5:3: 'x' was not declared: y",
                    "src/My Colour.cpp:7:10: Foo.h: No such file or directory",
                    "Lamp/Lamp.ino:9:1: undefined reference to `later()'",
                ])
    }

    @Test("are those in suites and projects, and no addresses of ports")
    func others() {
        #expect(places("a b.yaml:2: no sketch 'X'\nespbench.yaml:3:5: unknown key 'sketchs'").count == 2)
        #expect(places("socket://127.0.0.1:4000: connection refused\n12:30:59: late\ns.yaml: no such file").isEmpty)
        #expect(places("s.yaml:0:1: x\ns.yaml:99999999999999999999:1: x").isEmpty)
    }
}
