import ArgumentParser
import CommandSupport
import EspbenchCommands
import ESPFlasher
import FirmwareBuild
import Foundation
import SerialPort
import Synchronization
import Testing

@Suite("The command line")
struct CommandLineTests {
    @Test(
        "is refused with 64 when it is wrong",
        arguments: [
            ["jump"], ["build", "a", "b"], ["flash", "Calculator", "--image", "x.bin"],
            ["monitor", "--port", "ttyUSB0"],
            ["monitor", "--port", "ftp://a:1"], ["test", "--seed", "-1"], ["serve", "X", "--socket", "65536"],
            ["test", "--sed", "1"], ["serve"], ["serve", "--h4", "x"], ["serve", "--h4", "0:6.1"],
            ["serve", "--h4", "65536"], ["serve", "--h4", "0", "--socket", "0"],
            ["serve", "--h4", "0:4.2:02:EC"], ["serve", "--h4", "0:4.2:"], ["serve", "--h4", "0:02:EC:00:00:00:01"],
            ["serve", "--h4", "0::00:00:00:00:00:00"], ["serve", "--vhci=4.2:FF:FF:FF:FF:FF:FF"],
            ["serve", "--h4", "0:4.2:02:EC:00:00:00:01", "--vhci=5.0:02:ec:00:00:00:01"], ["serve", "--vhci=6"],
            ["serve", "--port", "/dev/ttyUSB0", "--vhci=4.2"],
            ["serve", "X", "--flash-file", "a", "--flash-file", "b"], ["serve", "X", "--secure-download"],
            ["serve", "--chip", "esp32", "--secure-download"],
            ["serve", "--chip", "esp32", "--parts", "p"], ["serve", "X", "--parts", "p", "--parts", "q"],
            ["serve", "--port", "/dev/ttyUSB0", "--parts", "p"], ["live", "--parts", "p", "--parts", "q"],
            ["live", "--board", "auto", "--parts", "p"], ["live", "--timeline", "t", "--parts", "p"],
            ["notify", "a", "b", "--as", "u8", "--json"], ["ble", "read", "a", "b", "--as", "raw", "--json"],
            ["test", "--instances"], ["test", "--timeline", "a.yaml"], ["test", "a.yaml", "--btsnoop", "b.yml"],
        ])
    func usage(arguments: [String]) {
        do {
            _ = try Espbench.parseAsRoot(arguments)
            Issue.record("\(arguments) was accepted")
        } catch {
            #expect(Espbench.exitCode(for: error) == ExitReason.usage.exitCode)
        }
    }

    @Test(
        "is accepted when it is right",
        arguments: [
            ["build", "Calculator"], ["build"], ["flash"], ["flash", "--image", "x.bin"],
            ["flash", "X", "--port", "rfc2217://127.0.0.1:4001"],
            ["monitor"], ["run", "X", "--flash-file", "f"], ["serve", "X", "--socket", "0", "--rfc2217", "4001"],
            ["serve", "--chip", "esp32s2", "--secure-download"], ["serve", "--h4", "0"],
            ["serve", "--h4", "0:4.2", "--h4", "7000", "--btsnoop", "f"],
            ["serve", "--h4", "0:extended:02:EC:00:00:00:01", "--h4", "0::02:EC:00:00:00:02"],
            ["serve", "--vhci=:02:EC:00:00:00:01", "--vhci=extended", "X", "--vhci=4.2:02:EC:00:00:00:03"],
            ["serve", "X", "Y", "--socket", "0", "--socket", "4000", "--flash-file", "f"],
            ["test"], ["test", "a.yaml", "b.yaml", "--seed", "7", "--case", "x y", "--timeline", "t", "--json"],
        ])
    func accepted(arguments: [String]) throws {
        _ = try Espbench.parseAsRoot(arguments)
    }

    @Test(
        "says the range of a number that is none of it",
        arguments: [
            (["test", "--jobs", "257"], "1 to 256"), (["test", "--sample", "0"], "1 to 9223372036854775807"),
            (["test", "--seed", "18446744073709551616"], "0 to 18446744073709551615"),
            (["live", "--port", "65536"], "0 to 65535"), (["serve", "X", "--rfc2217", "65536"], "0 to 65535"),
            (["serve", "X", "--socket", "65536"], "0 to 65535"), (["flash", "--baud", "299"], "300 to 12000000"),
            (["flash", "--connect-attempts", "0"], "1 to 1000"), (["monitor", "--log-keep", "x"], "0 to 1000"),
            (["log", "f", "--lines", "1000001"], "0 to 1000000"), (["scan", "--min-rssi", "-129"], "-128 to 127"),
            (["notify", "a", "b", "--count", "9223372036854775808"], "1 to 9223372036854775807"),
            (["ble-serial", "--baud", "49"], "50 to 10000000"),
        ])
    func ranges(arguments: [String], range: String) {
        do {
            _ = try Espbench.parseAsRoot(arguments)
            Issue.record("\(arguments) was accepted")
        } catch {
            let message = Espbench.message(for: error)
            #expect(message.contains("expected a ") && message.contains(range), "\(message)")
        }
    }

    @Test("takes --vhci with and without a value, before -- only")
    func optionalValues() {
        let words = [
            "serve", "--vhci", "X", "--vhci:4.2", "--vhci:extended:02:EC:00:00:00:01", "--vhcix", "--", "--vhci",
        ]
        let completed = [
            "serve", "--vhci=4.2", "X", "--vhci=4.2", "--vhci=extended:02:EC:00:00:00:01", "--vhcix", "--", "--vhci",
        ]
        #expect(OptionalValues.completed(words) == completed)
        #expect(OptionalValues.completed(completed) == completed)
        #expect(OptionalValues.completed([]) == [])
    }

    @Test("has a distinct exit code for each outcome")
    func exitCodes() {
        #expect(ExitReason.allCases.map(\.rawValue) == Array(0...19) + [64])
    }

    @Test("maps each error to a message, an exit code and a hint")
    func failures() {
        let failures: [(CommandFailure, ExitReason, String)] = [
            (
                CommandFailure(FirmwareBuildError(.compilerNotFound, "no compiler"), .benchFault), .buildFailed,
                "Install a C++ compiler: sudo apt-get install g++"
            ),
            (
                CommandFailure(FlasherError(.wrongChip, "app"), .benchFault), .refused,
                "Build for the chip the board has; the profiles of sketches are in sketch.yaml."
            ),
            (
                CommandFailure(
                    FlasherError(.port, "app", underlying: SerialPortError(.busy, port: "p", "taken")), .benchFault),
                .portFailed, "Another program uses the port: close its monitor, or find it with fuser."
            ),
            (
                CommandFailure(SerialPortError(.notFound, port: "/dev/x", "no such file"), .benchFault), .portFailed,
                "Is the board plugged in, or 'espbench serve' running?"
            ),
        ]
        for (failure, status, hint) in failures {
            #expect(failure.status == status)
            #expect(Hints.text(for: failure.code) == hint)
            #expect(!failure.message.isEmpty)
        }
    }

    @Test("uses colour and progress bars only on terminals that support them")
    func terminals() {
        func environment(_ variables: [String: String], _ isTerminal: Bool = true) -> Environment {
            Environment(
                variables: variables, workingFolder: "/", outputIsTerminal: isTerminal, errorIsTerminal: isTerminal)
        }
        #expect(environment([:]).allowsColour(true))
        #expect(!environment([:]).allowsColour(false))
        #expect(!environment(["NO_COLOR": "1"]).allowsColour(true))
        #expect(environment(["NO_COLOR": ""]).allowsColour(true))
        #expect(!environment(["TERM": "dumb"]).allowsColour(true))
        #expect(environment([:]).allowsProgressBar)
        #expect(!environment([:], false).allowsProgressBar)
        #expect(!environment(["CI": "true"]).allowsProgressBar)
    }

    @Test("stores its files in the folders of the XDG specification")
    func folders() throws {
        let home = Environment(variables: ["HOME": "/home/a"], workingFolder: "/")
        #expect(try home.cacheFolder == "/home/a/.cache/espbench")
        #expect(try home.stateFolder == "/home/a/.local/state/espbench")
        let xdg = Environment(
            variables: ["HOME": "/home/a", "XDG_CACHE_HOME": "/c", "XDG_STATE_HOME": "relative"], workingFolder: "/")
        #expect(try xdg.cacheFolder == "/c/espbench")
        #expect(try xdg.stateFolder == "/home/a/.local/state/espbench")
    }

    @Test("clears a progress bar before other output")
    func bar() {
        let captured = CapturedOutput()
        let output = captured.output(showsBar: true)
        output.progress("flashing", completed: 1, of: 2)
        output.note("done")
        output.note("next")
        #expect(
            captured.notes == "\r\u{1B}[Kflashing ██████████████░░░░░░░░░░░░░░ 50 %\r\u{1B}[Kdone\nnext\n")
        let plain = CapturedOutput()
        plain.output().progress("flashing", completed: 1, of: 2)
        #expect(plain.notes.isEmpty)
    }

    @Test("shows the progress of long work by lines where there is no bar")
    func progressLines() {
        let captured = CapturedOutput()
        let time = Mutex(0)
        let output = captured.output { .seconds(time.withLock { $0 }) }
        for second in 0...12 {
            time.withLock { $0 = second }
            output.progress("host core", completed: second, of: 12)
            // Each title has lines of its own, and begins anew when its work ended.
            output.progress("library", completed: second % 4, of: 3)
        }
        #expect(captured.notes == "host core: 41 %\nhost core: 83 %\n")
    }
}
