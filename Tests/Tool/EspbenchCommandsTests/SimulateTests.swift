import EspbenchCommands
import Foundation
import Testing

/// Described peripherals on a controller of a served air: used by Bumble, which decodes by itself, and by the commands.
@Suite("Described peripherals on a served air", .ownThreads, .serialized, .timeLimit(.minutes(10)))
struct SimulateTests {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Bumble/described_central.py")
    private static let python = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../.venv/bin/python").standardized.path

    private struct World {
        let folder: URL
        let controller: String
        let simulation: EspbenchProcess
        /// Lines that set values.
        let input: FileHandle

        func run(_ arguments: String...) throws -> (code: Int32, output: String, errors: String) {
            try EspbenchProcess(
                arguments + ["--central", "h4:\(controller)"], folder: folder, input: .nullDevice
            ).run()
        }
    }

    private func withSimulation(_ arguments: [String], body: (World) throws -> Void) throws {
        try withTemporaryFolder { folder in
            // A board with an empty flash: the air is what is used.
            let server = EspbenchProcess(
                ["serve", "--chip", "esp32c3", "--h4", "0"], folder: folder, input: .nullDevice)
            try server.process.run()
            defer {
                server.process.terminate()
                server.process.waitUntilExit()
            }
            let text = server.waitForOutput("  4.2\n")
            let controller =
                "127.0.0.1:\(try #require(text.firstMatch(of: #/h4:\/\/127\.0\.0\.1:(\d+)/#)?.1, "\(text)"))"
            let input = Pipe()
            let simulation = EspbenchProcess(
                ["simulate"] + arguments + ["--on", "h4:\(controller)", "--seed", "1"], folder: folder,
                input: input.fileHandleForReading)
            try simulation.process.run()
            _ = simulation.waitForNote("Ctrl-C ends it")
            try body(
                World(
                    folder: folder, controller: controller, simulation: simulation, input: input.fileHandleForWriting))
            simulation.process.interrupt()
            simulation.process.waitUntilExit()
            #expect(simulation.process.terminationStatus == 0)
        }
    }

    @Test(
        "decoded by Bumble",
        arguments: [
            [
                "sensortag", "--set", "humidity.relative=40.2", "--set", "humidity.temperature=23.5", "--set",
                "barometer.pressure=1013.25", "--set", "temperature.object=36.6",
            ],
            ["heart-rate", "--set", "heart.rate=72"],
        ])
    func bumble(_ arguments: [String]) throws {
        try withTemporaryFolder { folder in
            let kind = arguments[0]
            try withSimulation(arguments) { world in
                let central = ForeignProgram(Self.python, [Self.script.path, world.controller, kind], folder: folder)
                let outcome = try central.run()
                #expect(outcome.code == 0 && outcome.output.hasSuffix("done\n"), "\(outcome)")
            }
        }
    }

    @Test("shown with names and units, compared, and set by lines of standard input")
    func commands() throws {
        try withSimulation(["sensortag", "--set", "humidity.relative=40.2"]) { world in
            let notified = try world.run(
                "notify", "SensorTag", "F000AA21", "--write", "F000AA22=01", "--write", "F000AA23=0a", "-c", "2")
            #expect(
                notified.output.matches(of: #/  temperature [\d.]+ °C, relative 40\.20 %\n/#).count == 2, "\(notified)")
            try world.input.write(contentsOf: Data("humidity.relative = 55\nhumidity.relativ=1\n".utf8))
            #expect(world.simulation.waitForNote("did you mean 'relative'?").contains("error: "))
            let record = try world.run("ble", "read", "SensorTag", "F000AA21", "--json")
            // The sensor is still on: the register is the peripheral's.
            #expect(
                record.output.contains(#""name":"humidity.relative""#) && record.output.contains("55.00 %"), "\(record)"
            )
            let same = try world.run("gatt", "SensorTag", "--compare", "sensortag", "--read")
            #expect(same.code == 0 && same.output.isEmpty && same.errors.contains("as described"), "\(same)")
            let other = try world.run("gatt", "SensorTag", "--compare", "battery")
            #expect(other.code == 11 && other.output.hasPrefix("where"), "\(other)")
            #expect(other.output.contains("battery                               service  180F       -\n"), "\(other)")
            #expect(world.simulation.waitForOutput("written: humidity.period = 0a  100 ms").contains("on (1)"))
        }
    }

    @Test("ended when nobody reads what centrals do")
    func unread() throws {
        try withSimulation(["sensortag"]) { world in
            let unread = EspbenchProcess(
                ["simulate", "battery", "--name", "Unread", "--on", "h4:\(world.controller)"], folder: world.folder,
                input: .nullDevice, shell: #"{ "$@"; echo "exit $?" >&2; } | true"#)
            try unread.process.run()
            _ = unread.waitForNote("Ctrl-C ends it\n")
            _ = try world.run("gatt", "Unread")
            #expect(unread.waitForNote("exit", within: .seconds(20)) == "exit 141\n")
            if unread.process.isRunning { unread.process.terminate() }
        }
    }

    @Test("refused when the description or a value is wrong")
    func mistakes() throws {
        try withTemporaryFolder { folder in
            let bad = folder.appending(path: "bad.yaml")
            try Data(
                "name: x\nservices:\n  a: {uuid: 180F, characteristics: {b: {uuid: 2A19, properties: raed}}}\n".utf8
            )
            .write(to: bad)
            let faulty = try EspbenchProcess(["describe", "bad.yaml"], folder: folder, input: .nullDevice).run()
            #expect(faulty.code == 8 && faulty.errors.contains("bad.yaml:3:65: expected a property"), "\(faulty)")
            let unknown = try EspbenchProcess(["describe", "sensrtag"], folder: folder, input: .nullDevice).run()
            #expect(unknown.code == 8 && unknown.errors.contains("did you mean 'sensortag'?"), "\(unknown)")
            let text = try EspbenchProcess(["describe", "sensortag"], folder: folder, input: .nullDevice).run()
            #expect(text.output.hasPrefix("name: sensortag\n"), "\(text)")
            let all = try EspbenchProcess(["describe", "--json"], folder: folder, input: .nullDevice).run().output
            let objects = try all.split(separator: "\n").map { line in
                try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            }
            let tag = try #require(objects.first { $0["name"] as? String == "sensortag" })
            #expect(tag["title"] as? String == "TI CC2541 SensorTag", "\(tag)")
            #expect(all.contains(#"{"name":"ambient","unit":"°C"}"#) && objects.count > 5, "\(all)")
            let value = try EspbenchProcess(
                ["simulate", "sensortag", "--set", "humidity.relative=wet", "--on", "h4:127.0.0.1:1"], folder: folder,
                input: .nullDevice
            ).run()
            #expect(value.code != 0 && !value.errors.isEmpty, "\(value)")
        }
    }
}
