import ESPChips

extension DoctorCheck {
    /// What real boards need.
    static let boardChecks = [
        DoctorCheck("arduino-cli", .boards) { machine in
            // https://arduino.github.io/arduino-cli/latest/installation/
            let remedy =
                "mkdir -p ~/.local/bin && curl -fsSL https://raw.githubusercontent.com/arduino/arduino-cli/master/install.sh | BINDIR=~/.local/bin sh"
            guard let program = machine.program("arduino-cli") else {
                return .optional("not in PATH; needed to build sketches for real boards, not to flash", remedy)
            }
            guard let outcome = await machine.run(program, ["version"]), outcome.isSuccess else {
                return .optional("\(program) does not run", remedy)
            }
            let cores = await machine.run(program, ["core", "list"])
            guard cores?.output.contains("esp32:esp32") == true else {
                return .optional(
                    "\(program) has no core for ESP32",
                    "arduino-cli core update-index && arduino-cli core install esp32:esp32")
            }
            return .ok("\(program): \(outcome.firstLine)")
        },
        DoctorCheck("esptool's stubs", .boards) { machine in
            let chips = Chip.all.filter { StubFinder(machine.variables, root: machine.root).image(for: $0) != nil }
            guard !chips.isEmpty else {
                return .optional(
                    "no esptool 5 with its stubs; boards are flashed by their ROM loaders, which is slower",
                    machine.isLinux
                        ? "\(machine.installing("pipx")) && pipx install esptool" : "python3 -m pip install esptool")
            }
            return .ok("for \(chips.map(\.identifier).joined(separator: ", "))")
        },
        DoctorCheck("serial ports", .boards, serialPorts),
        DoctorCheck("USB access", .boards, usbAccess),
    ]

    /// ttys of USB devices, and whether the user may open them.
    @Sendable private static func serialPorts(_ machine: Machine) async -> DoctorFinding {
        let ttys = machine.names(in: "/dev").filter { name in
            machine.isLinux ? name.hasPrefix("ttyUSB") || name.hasPrefix("ttyACM") : name.hasPrefix("cu.usb")
        }
        let closed = ttys.filter { !machine.isUsable("/dev/\($0)") }
        if let first = closed.first {
            return .missing(
                "/dev/\(first) may not be opened by this user",
                machine.isLinux ? machine.joining("dialout") : machine.asRoot("chmod a+rw /dev/\(first)"))
        }
        if !ttys.isEmpty { return .ok(ttys.map { "/dev/\($0)" }.joined(separator: ", ")) }
        if machine.isLinux, !machine.isRoot, !machine.groups.contains("dialout") {
            return .optional(
                "no board is plugged in; the user is not in the group dialout",
                machine.joining("dialout"))
        }
        return .none("no board is plugged in")
    }

    /// Whether usb: ports can be opened without being root.
    @Sendable private static func usbAccess(_ machine: Machine) async -> DoctorFinding {
        guard machine.isLinux, !machine.isRoot else { return .ok("this user may open usb: ports") }
        let folders = ["/etc/udev/rules.d", "/run/udev/rules.d", "/usr/lib/udev/rules.d", "/lib/udev/rules.d"]
        guard let folder = folders.first(where: { machine.exists("\($0)/60-espbench.rules") }) else {
            return .optional("no udev rule for usb: ports; /dev/tty… ports do without", udevRemedy(machine))
        }
        return .ok("\(folder)/60-espbench.rules")
    }
    /// From a checkout, or from where espbench was installed.
    private static func udevRemedy(_ machine: Machine) -> String {
        if let folder = machine.folder(with: "Scripts/setup") { return "'\(folder)/Scripts/setup' --udev" }
        let installed = "share/espbench/udev/60-espbench.rules"
        let folder = machine.folder(with: installed) ?? "/usr/local"
        return [
            "cp '\(folder)/\(installed)' /etc/udev/rules.d/", "udevadm control --reload", "udevadm trigger",
        ].map(machine.asRoot).joined(separator: " && ")
    }
}
