import CommandSupport
import EspbenchCommands
import Foundation
import Testing

/// `espbench run` shows the console as `espbench monitor` does, and ends as it is told to.
extension EndToEndTests {
    @Test("run ends at the line that it is told, with the console as data")
    func runsUntil() throws {
        try withTemporaryFolder { folder in
            let run = try tool(["run", "Calculator", "--until", "advertising$", "--json"], folder).run()
            #expect(run.code == 0, "\(run.errors)")
            let lines = run.output.split(separator: "\n")
            #expect(lines.dropLast().last?.contains("BLE Service is advertising") == true, "\(run.output)")
            #expect(lines.last?.contains(#""reason":"passed""#) == true, "\(run.output)")
            for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
        }
    }

    @Test("run ends at a line that must not come, also on a board behind a port, and keeps the log; flash at Ctrl-C")
    func runsOnAPort() throws {
        try withTemporaryFolder { folder in
            let served = EspbenchProcess(["serve", "--chip", "esp32", "--socket", "0"], folder: folder)
            try served.process.run()
            let address = try #require(served.waitForOutput("\n").split(separator: " ").first.map(String.init))
            let run = try tool(
                ["run", "Calculator", "--port", address, "--fail-on", "is adver", "--log", "board.log"], folder
            ).run()
            #expect(run.code == 13, "\(run.errors)")
            #expect(
                run.errors.contains("error: --fail-on 'is adver' was seen: BLE Service is advertising"), "\(run.errors)"
            )
            let log = try String(contentsOf: folder.appending(path: "board.log"), encoding: .utf8)
            #expect(log.contains("Begin Setup BLE Service and Characteristics"), "\(log)")
            let flash = tool(["flash", "Calculator", "--port", address, "--monitor"], folder)
            try flash.process.run()
            #expect(flash.waitForOutput("is advertising").contains("is advertising"))
            flash.process.interrupt()
            flash.process.waitUntilExit()
            #expect(flash.process.terminationStatus == ExitReason.interrupted.rawValue)
            served.process.interrupt()
            served.process.waitUntilExit()
        }
    }
}
