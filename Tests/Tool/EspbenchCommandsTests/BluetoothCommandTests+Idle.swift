#if os(Linux)
    import Foundation
    import Testing

    /// Who waits uses no time of the processor.
    extension BluetoothCommandTests {
        /// The time of the processor that `tools` use in three seconds.
        private static func usedTime(of tools: [EspbenchProcess]) throws -> [Duration] {
            let ticks = sysconf(Int32(_SC_CLK_TCK))
            func used() throws -> [Int] {
                try tools.map { tool in
                    let path = "/proc/\(tool.process.processIdentifier)/stat"
                    let text = try String(contentsOfFile: path, encoding: .utf8)
                    // What follows the name, which may have anything in it: the state is the third field.
                    let fields = try #require(text.split(separator: ")").last).split(separator: " ")
                    return try #require(Int(fields[11])) + #require(Int(fields[12]))
                }
            }
            let before = try used()
            Thread.sleep(forTimeInterval: 3)
            return zip(try used(), before).map { .milliseconds(($0 - $1) * 1000 / ticks) }
        }

        @Test("wait without using the processor")
        func idleness() throws {
            try withTemporaryFolder { folder in
                let air = try Air(["Calculator"], folder, options: ["--log", "air.log"])
                defer { air.end() }
                let follower = EspbenchProcess(["log", "air.log", "--follow"], folder: folder, input: .nullDevice)
                try follower.process.run()
                _ = follower.waitForOutput("BLE Service is advertising")
                let notify = air.tool(["notify", "Test Peripheral", "643954A4", "--write", "C1AB2C55=030502"])
                try notify.process.run()
                _ = notify.waitForOutput("0f")
                // Its keys are never typed.
                let keys = Pipe()
                let calculator = air.tool(["calculator"], input: keys.fileHandleForReading)
                try calculator.process.run()
                _ = calculator.waitForOutput("Connected.")
                let tools = [air.server, follower, notify, calculator]
                for (tool, time) in zip(tools, try Self.usedTime(of: tools)) {
                    // Hundredths of a second, as measured; who asks all the time uses three on an idle machine.
                    #expect(time < .seconds(1), "\(tool.process.arguments ?? [])")
                }
                for tool in [calculator, notify, follower] {
                    tool.process.interrupt()
                    tool.process.waitUntilExit()
                    #expect(tool.process.terminationStatus == 0)
                }
                try keys.fileHandleForWriting.close()
            }
        }
    }
#endif
