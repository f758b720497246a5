import CommandSupport
import EspbenchCommands
import Foundation
import ProjectCommands
import Testing

/// The doctor on machines of files and programs that a test makes: each line can be red, and is then mended.
@Suite("The doctor", .ownThreads, .timeLimit(.minutes(10))) struct DoctorTests {
    /// A machine below a folder.
    private struct Bench {
        let folder: URL
        var machine: Machine

        init(_ folder: URL) {
            self.folder = folder
            machine = Machine(
                root: folder.path, variables: ["PATH": folder.appending(path: "bin").path], groups: ["dialout"],
                programFolders: ["/home/user/espbench"])
        }

        func file(_ path: String, _ text: String = "") throws {
            let url = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }

        /// A program in PATH that runs these lines of the shell.
        /// Written by another process: while this one had it open for writing, a child that a test beside it forks would
        /// inherit that, and to execute it would fail ("text file busy").
        func program(_ name: String, _ lines: String) throws {
            let path = folder.appending(path: "bin/\(name)").path
            let writer = Process()
            writer.executableURL = URL(filePath: "/bin/sh")
            writer.arguments = [
                "-c", #"mkdir -p "${1%/*}" && printf %s "$2" >"$1" && chmod 755 "$1""#, "sh", path,
                "#!/bin/sh\n\(lines)\n",
            ]
            try writer.run()
            writer.waitUntilExit()
            #expect(writer.terminationStatus == 0)
        }

        func finding(_ name: String) async throws -> DoctorFinding {
            let check = try #require(DoctorCheck.all.first { $0.name == name })
            return await check.run(machine)
        }
    }

    private func withBench<Result>(_ body: (inout Bench) async throws -> Result) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "espbench-doctor-\(UUID())")
            .resolvingSymlinksInPath()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var bench = Bench(folder)
        return try await body(&bench)
    }

    @Test("tests every check, and each has a state that it can lose")
    func complete() {
        #expect(
            DoctorCheck.all.map(\.name) == [
                "C++ compiler", "32-bit support", "Swift", "arduino-cli", "esptool's stubs", "serial ports",
                "USB access",
                "adapter", "rfkill", "system bus", "bluetoothd", "adapter power", "kernel",
            ])
    }

    @Test("wants a compiler that has the standard library of C++")
    func compiler() async throws {
        try await withBench { bench in
            var finding = try await bench.finding("C++ compiler")
            #expect(finding.state == .missing && finding.remedy == "sudo apt-get install g++")
            #expect(try await bench.finding("32-bit support").state == .none)
            try bench.program("g++", "echo 'fatal error: vector: No such file'; exit 1")
            finding = try await bench.finding("C++ compiler")
            #expect(finding.state == .missing && finding.detail.contains("vector: No such file"))
            try bench.program("g++", "case $1 in --version) echo 'g++ 12.2';; -m32) exit 1;; *) : ;; esac")
            finding = try await bench.finding("C++ compiler")
            #expect(finding.state == .ok && finding.detail.hasSuffix("bin/g++: g++ 12.2"))
            finding = try await bench.finding("32-bit support")
            #expect(finding.state == .optional && finding.remedy == "sudo apt-get install g++-multilib")
            try bench.program("g++", ":")
            #expect(try await bench.finding("32-bit support").state == .ok)
        }
    }

    @Test("finds this machine's compiler")
    func ownCompiler() async throws {
        let machine = Machine(variables: ["PATH": "/usr/bin:/bin"])
        let check = try #require(DoctorCheck.all.first)
        #expect(await check.run(machine).state == .ok)
    }

    @Test("shows Swift without asking for it")
    func swift() async throws {
        try await withBench { bench in
            #expect(try await bench.finding("Swift").state == .none)
            try bench.program("swift", "")
            #expect(try await bench.finding("Swift").state == .ok)
        }
    }

    @Test("wants arduino-cli with the core for ESP32")
    func arduino() async throws {
        try await withBench { bench in
            #expect(try await bench.finding("arduino-cli").detail.hasPrefix("not in PATH"))
            try bench.program("arduino-cli", "exit 1")
            #expect(try await bench.finding("arduino-cli").detail.hasSuffix("does not run"))
            try bench.program(
                "arduino-cli", "case $1 in version) echo 'arduino-cli 1.1';; core) echo 'arduino:avr';; esac")
            let finding = try await bench.finding("arduino-cli")
            #expect(finding.state == .optional && finding.remedy?.contains("core install esp32:esp32") == true)
            try bench.program(
                "arduino-cli", "case $1 in version) echo 'arduino-cli 1.1';; core) echo 'esp32:esp32 3';; esac")
            #expect(try await bench.finding("arduino-cli").state == .ok)
        }
    }

    @Test("wants esptool's stubs")
    func stubs() async throws {
        try await withBench { bench in
            let finding = try await bench.finding("esptool's stubs")
            #expect(finding.state == .optional && finding.remedy == "sudo apt-get install pipx && pipx install esptool")
            let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
            let library = root.appending(path: ".venv/lib")
            try FileManager.default.createDirectory(
                at: bench.folder.appending(path: "usr/local"), withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                at: bench.folder.appending(path: "usr/local/lib"), withDestinationURL: library)
            let mended = try await bench.finding("esptool's stubs")
            #expect(mended.state == .ok && mended.detail.contains("esp32c3"))
        }
    }

    @Test("wants serial ports that the user may open")
    func serialPorts() async throws {
        try await withBench { bench in
            #expect(try await bench.finding("serial ports").state == .none)
            bench.machine.groups = []
            let finding = try await bench.finding("serial ports")
            #expect(finding.state == .optional && finding.remedy?.contains("usermod -aG dialout") == true)
            try bench.file("dev/ttyUSB0")
            #expect(try await bench.finding("serial ports").detail == "/dev/ttyUSB0")
            // Root may open anything: a folder that is no file cannot be written by anybody.
            try FileManager.default.createSymbolicLink(
                atPath: bench.folder.path + "/dev/ttyACM0", withDestinationPath: "/nowhere/at/all")
            let closed = try await bench.finding("serial ports")
            #expect(closed.state == .missing && closed.detail == "/dev/ttyACM0 may not be opened by this user")
        }
    }

    @Test("wants the udev rule, but not of root")
    func usb() async throws {
        try await withBench { bench in
            try bench.file("opt/share/espbench/udev/60-espbench.rules")
            bench.machine.programFolders = ["/opt/bin", "/opt"]
            let installed = try await bench.finding("USB access").remedy
            #expect(
                installed?.hasPrefix("sudo cp '/opt/share/espbench/udev/60-espbench.rules' /etc/udev/rules.d/ && ")
                    == true)
            try bench.file("home/user/espbench/Scripts/setup")
            bench.machine.programFolders = ["/home/user/espbench/.build", "/home/user/espbench"]
            let own = try await bench.finding("USB access").remedy
            #expect(own == "'/home/user/espbench/Scripts/setup' --udev")
            bench.machine.isRoot = true
            #expect(try await bench.finding("USB access").state == .ok)
            bench.machine.isRoot = false
            try bench.file("etc/udev/rules.d/60-espbench.rules")
            #expect(try await bench.finding("USB access").detail == "/etc/udev/rules.d/60-espbench.rules")
        }
    }

    @Test("wants a kernel with Bluetooth, and an adapter")
    func adapter() async throws {
        try await withBench { bench in
            #expect(try await bench.finding("adapter").remedy == "sudo modprobe bluetooth")
            try bench.file("sys/class/bluetooth/hci0:64/x")
            #expect(try await bench.finding("adapter").detail == "no adapter")
            try bench.file("sys/class/bluetooth/hci0/x")
            let finding = try await bench.finding("adapter")
            #expect(finding.state == .ok && finding.detail == "hci0" && finding.remedy == nil)
        }
    }

    @Test("sees both switches of rfkill")
    func rfkill() async throws {
        try await withBench { bench in
            #expect(try await bench.finding("rfkill").state == .none)
            let place = "sys/class/rfkill/rfkill3"
            for (name, text) in [("type", "bluetooth"), ("name", "hci0"), ("soft", "1"), ("hard", "0")] {
                try bench.file("\(place)/\(name)", text + "\n")
            }
            var finding = try await bench.finding("rfkill")
            #expect(finding.state == .missing && finding.remedy == "echo 0 | sudo tee /sys/class/rfkill/rfkill3/soft")
            try bench.file("\(place)/hard", "1\n")
            finding = try await bench.finding("rfkill")
            #expect(finding.detail == "hci0 is switched off by a switch or key of the machine")
            try bench.file("\(place)/type", "wlan\n")
            #expect(try await bench.finding("rfkill").state == .none)
            try bench.file("\(place)/type", "bluetooth\n")
            for name in ["soft", "hard"] { try bench.file("\(place)/\(name)", "0\n") }
            #expect(try await bench.finding("rfkill").state == .ok)
        }
    }

    @Test("wants a system bus, bluetoothd on it, and leave to talk to it")
    func bluetoothd() async throws {
        try await withBench { bench in
            #expect(try await bench.finding("system bus").remedy == "sudo service dbus start")
            try bench.file("run/systemd/system/x")
            #expect(try await bench.finding("system bus").remedy == "sudo systemctl start dbus")
            #expect(try await bench.finding("bluetoothd").state == .none)
            try bench.file("run/dbus/system_bus_socket")
            #expect(try await bench.finding("system bus").state == .ok)
            #expect(try await bench.finding("bluetoothd").remedy == "sudo apt-get install dbus")
            try bench.program("busctl", "echo 'Failed to introspect: The name org.bluez was not provided'; exit 1")
            var finding = try await bench.finding("bluetoothd")
            #expect(finding.state == .missing && finding.remedy?.hasPrefix("sudo apt-get install bluez") == true)
            try bench.file("usr/libexec/bluetooth/bluetoothd")
            finding = try await bench.finding("bluetoothd")
            #expect(finding.remedy == "sudo systemctl start bluetooth")
            try bench.program("busctl", "echo 'Failed to introspect: Access denied'; exit 1")
            finding = try await bench.finding("bluetoothd")
            #expect(finding.remedy?.contains("usermod -aG bluetooth") == true)
            try bench.program("busctl", "echo '\"$@\"'")
            #expect(try await bench.finding("bluetoothd").state == .ok)
        }
    }

    @Test("sees whether an adapter is switched on, in what busctl and dbus-send print")
    func power() async throws {
        try await withBench { bench in
            #expect(try await bench.finding("adapter power").state == .none)
            try bench.file("run/dbus/system_bus_socket")
            try bench.program("dbus-send", #"printf '         string "Powered"\n         variant    boolean false\n'"#)
            let off = try await bench.finding("adapter power")
            #expect(off.state == .missing && off.remedy == "bluetoothctl power on")
            try bench.program(
                "busctl", #"echo 'a{oa{sa{sv}}} 1 "/org/bluez/hci0" 1 "org.bluez.Adapter1" 1 "Powered" b true'"#)
            #expect(try await bench.finding("adapter power").state == .ok)
            try bench.program("busctl", "echo 'a{oa{sa{sv}}} 0'")
            #expect(try await bench.finding("adapter power").detail == "bluetoothd has no adapter")
        }
    }

    @Test("needs no sudo where the user is root")
    func rootUser() async throws {
        try await withBench { bench in
            bench.machine.isRoot = true
            let remedies = [try await bench.finding("C++ compiler").remedy, try await bench.finding("adapter").remedy]
            #expect(remedies == ["apt-get install g++", "modprobe bluetooth"])
        }
    }

    @Test("asks for virtual machines in a checkout only")
    func machines() async throws {
        try await withBench { bench in
            #expect(try await bench.finding("kernel").state == .none)
            try bench.file("home/user/espbench/Scripts/vm")
            let absent = try await bench.finding("kernel")
            #expect(absent.state == .optional && absent.remedy == "'/home/user/espbench/Scripts/vm' --probe")
            try bench.file("var/cache/espbench/vm/kernel/linux")
            bench.machine.variables["XDG_CACHE_HOME"] = "/var/cache"
            #expect(try await bench.finding("kernel").state == .ok)
        }
    }

    @Test("fails for what is needed, and only shows the rest")
    func report() async throws {
        try await withBench { bench in
            try bench.program("g++", ":")
            let healthy = await DoctorReport(bench.machine, needed: [.virtual])
            #expect(healthy.isHealthy)
            #expect(healthy.text.contains("\nBluetooth (not needed)\n  missing  adapter"))
            #expect(healthy.text.contains("→ sudo modprobe bluetooth\n"))
            let ill = await DoctorReport(bench.machine, needed: [.virtual, .bluetooth])
            #expect(!ill.isHealthy)
            #expect(ill.text.contains("\nBluetooth\n  MISSING  adapter"))
        }
    }

    @Test("is a command with exit code 19, and JSON")
    func command() throws {
        try withTemporaryFolder { folder in
            let tool = EspbenchProcess(["doctor", "--json", "--for", "bluetooth"], folder: folder)
            tool.process.environment?["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=/nowhere"
            let (code, output, errors) = try tool.run()
            #expect(code == ExitReason.missing.rawValue, "\(errors)")
            let records = try #require(
                try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: Any]])
            let bus = try #require(records.first { $0["check"] as? String == "system bus" })
            #expect(bus["state"] as? String == "missing" && bus["isNeeded"] as? Bool == true)
            #expect((bus["detail"] as? String)?.contains("/nowhere") == true)
            #expect(
                (bus["remedy"] as? String)?.hasSuffix("systemctl start dbus") == true
                    || (bus["remedy"] as? String)?.hasSuffix("service dbus start") == true)
            let plain = try EspbenchProcess(["doctor"], folder: folder).run()
            #expect(plain.code == 0 && plain.output.hasPrefix("virtual boards\n  ok       C++ compiler"), "\(plain)")
        }
    }
}
