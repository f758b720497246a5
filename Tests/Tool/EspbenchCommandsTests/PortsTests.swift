import CommandSupport
import EspbenchCommands
import Foundation
import Testing

#if os(Linux)
    /// `espbench ports` and `--port auto` with devices that umockdev puts into the program's /sys and /dev.
    @Suite(
        "ports", .ownThreads,
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/umockdev-run"),
            "needs umockdev: Scripts/test installs it"),
        .timeLimit(.minutes(10)))
    struct PortsTests {
        /// A bridge at the port `number` of a hub, in umockdev's format.
        private static func bridge(_ number: Int, _ product: String) -> String {
            let device = "/devices/pci0000:00/0000:00:14.0/usb1/1-\(number)"
            let tty = "ttyUSB\(number - 1)"
            return """
                P: \(device)
                E: DEVTYPE=usb_device
                E: SUBSYSTEM=usb
                A: idVendor=10c4\\n
                A: idProduct=ea60\\n
                A: manufacturer=Silicon Labs\\n
                A: product=\(product)\\n
                A: serial=000\(number)\\n

                P: \(device)/1-\(number):1.0
                E: SUBSYSTEM=usb

                P: \(device)/1-\(number):1.0/\(tty)
                E: SUBSYSTEM=usb-serial
                L: driver=../../../../../../../bus/usb-serial/drivers/cp210x

                P: \(device)/1-\(number):1.0/\(tty)/tty/\(tty)
                N: \(tty)
                E: DEVNAME=/dev/\(tty)
                E: SUBSYSTEM=tty
                L: device=../../../\(tty)


                """
        }

        /// The program among `count` bridges; `redirection` is a shell's, for its standard error.
        private func tool(
            _ arguments: [String], bridges count: Int, _ folder: URL, input: FileHandle? = nil,
            redirection: String = ""
        ) throws -> EspbenchProcess {
            let file = folder.appending(path: "devices.umockdev")
            let devices = (0..<count).map { Self.bridge($0 + 1, "CP2102N number \($0 + 1)") }.joined()
            let empty = "P: /devices/virtual/tty/tty1\nE: SUBSYSTEM=tty\n\n"
            try Data((devices.isEmpty ? empty : devices).utf8).write(to: file)
            return EspbenchProcess(
                arguments, folder: folder, input: input,
                shell: "exec umockdev-run -d '\(file.path)' -- \"$@\" \(redirection)")
        }

        @Test("lists each port with its USB device")
        func list() throws {
            try withTemporaryFolder { folder in
                let result = try tool(["ports"], bridges: 2, folder).run()
                #expect(result.code == 0)
                #expect(
                    result.output == """
                        PORT          DEVICE                         USB ID     SERIAL  PLACE
                        /dev/ttyUSB0  Silicon Labs CP2102N number 1  10c4:ea60  0001    1-1
                        /dev/ttyUSB1  Silicon Labs CP2102N number 2  10c4:ea60  0002    1-2

                        """)
                let json = try tool(["ports", "--json"], bridges: 1, folder).run()
                #expect(
                    json.output == """
                        [{"driver":"cp210x","isCandidate":true,"kind":"tty","name":"Silicon Labs CP2102N number 1",\
                        "port":"/dev/ttyUSB0","usb":{"location":"1-1","product":"ea60","serialNumber":"0001",\
                        "vendor":"10c4"}}]

                        """)
                let none = try tool(["ports"], bridges: 0, folder).run()
                #expect((none.code, none.output, none.errors) == (0, "", "there is no serial port\n"))
            }
        }

        @Test("prints what appears and disappears until Ctrl-C", arguments: [false, true])
        func watch(json: Bool) throws {
            try withTemporaryFolder { folder in
                let file = folder.appending(path: "devices.umockdev")
                try Data(Self.bridge(1, "first").utf8).write(to: file)
                // The script adds the second bridge to the tree that umockdev has made.
                let script = """
                    "$@" & tool=$!
                    trap 'kill -INT $tool' TERM
                    root=$UMOCKDEV_DIR; bus=$root/sys/devices/pci0000:00/0000:00:14.0/usb1
                    read line
                    cp -a $bus/1-1 $bus/1-2; cd $bus/1-2; mv 1-1:1.0 1-2:1.0; mv 1-2:1.0/ttyUSB0 1-2:1.0/ttyUSB1
                    mv 1-2:1.0/ttyUSB1/tty/ttyUSB0 1-2:1.0/ttyUSB1/tty/ttyUSB1
                    rm 1-2:1.0/ttyUSB1/tty/ttyUSB1/device
                    ln -s ../../../ttyUSB1 1-2:1.0/ttyUSB1/tty/ttyUSB1/device
                    ln -s $bus/1-2/1-2:1.0/ttyUSB1/tty/ttyUSB1 $root/sys/class/tty/ttyUSB1
                    : > $root/dev/ttyUSB1
                    read line
                    rm $root/dev/ttyUSB1
                    read line
                    kill -INT $tool
                    wait $tool
                    """
                let scriptFile = folder.appending(path: "script")
                try Data(script.utf8).write(to: scriptFile)
                let input = Pipe()
                let tool = EspbenchProcess(
                    ["ports", "--watch"] + (json ? ["--json"] : []), folder: folder,
                    input: input.fileHandleForReading,
                    shell: "exec umockdev-run -d '\(file.path)' -- /bin/sh '\(scriptFile.path)' \"$@\"")
                try tool.process.run()
                defer { tool.process.terminate() }
                let step = { try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8)) }
                if json {
                    #expect(tool.waitForData(lines: 1).hasPrefix(#"{"event":"present","port":{"driver""#))
                } else {
                    #expect(tool.waitForNote("Ctrl-C ends\n").hasPrefix("waiting for ports"))
                    #expect(tool.waitForData(lines: 2).hasSuffix("0001    1-1\n"))
                }
                try step()
                let added = tool.waitForData(lines: 1)
                try step()
                let removed = tool.waitForData(lines: 1)
                if json {
                    #expect(added.hasPrefix(#"{"event":"added","port":"#))
                    #expect(removed.hasPrefix(#"{"event":"removed","port":"#))
                } else {
                    #expect(added == "+ /dev/ttyUSB1  Silicon Labs first  10c4:ea60  0001  1-2\n")
                    #expect(removed == "- /dev/ttyUSB1  Silicon Labs first  10c4:ea60  0001  1-2\n")
                }
                try step()
                tool.process.waitUntilExit()
                #expect(tool.process.terminationStatus == 0)
            }
        }

        @Test("--port auto takes the only board, and fails with the list of several or with none")
        func choice() throws {
            try withTemporaryFolder { folder in
                // umockdev's device is a file: it is chosen, and is no tty.
                let only = try tool(["monitor", "--port", "auto"], bridges: 1, folder).run()
                #expect(only.code == ExitReason.portFailed.rawValue)
                #expect(only.errors.contains("using /dev/ttyUSB0  Silicon Labs CP2102N number 1, 10c4:ea60, 0001\n"))
                #expect(only.errors.contains("error: /dev/ttyUSB0: expected a serial port, got another kind of file\n"))

                let several = try tool(["monitor", "--port", "auto"], bridges: 2, folder).run()
                #expect(several.code == ExitReason.noPort.rawValue)
                #expect(
                    several.errors == """
                        error: expected one port with a board, found 2:
                          /dev/ttyUSB0  Silicon Labs CP2102N number 1, 10c4:ea60, 0001
                          /dev/ttyUSB1  Silicon Labs CP2102N number 2, 10c4:ea60, 0002
                        hint: Choose one with --port.

                        """)

                let none = try tool(["monitor", "--port", "auto"], bridges: 0, folder).run()
                #expect(none.code == ExitReason.noPort.rawValue)
                #expect(none.errors.hasPrefix("error: expected a port with a board, found no serial port\nhint: Plug"))
            }
        }

        @Test("--port auto asks on a terminal")
        func question() throws {
            try withTemporaryFolder { folder in
                let keyboard = try PseudoTerminal()
                defer { keyboard.closeBoth() }
                let process = try tool(
                    ["monitor", "--port", "auto"], bridges: 2, folder,
                    input: FileHandle(fileDescriptor: keyboard.terminal), redirection: "2>&0")
                try process.process.run()
                defer { process.process.terminate() }
                let question = keyboard.read(until: "which one (1-2)? ")
                #expect(question.contains("there are 2 boards:\r\n  1  /dev/ttyUSB0  Silicon Labs"))
                keyboard.type(Array("3\n".utf8))
                _ = keyboard.read(until: "expected a number from 1 to 2, or nothing to give up: ")
                keyboard.type(Array("2\n".utf8))
                #expect(keyboard.read(until: "kind of file\r\n").contains("error: /dev/ttyUSB1: expected a serial"))
                process.process.waitUntilExit()
                #expect(process.process.terminationStatus == ExitReason.portFailed.rawValue)
            }
        }
    }
#endif
