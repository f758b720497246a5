import CommandSupport
import ESPChips
import ESPImage
import Foundation

/// A use of the machine; the doctor checks each.
package enum DoctorArea: String, CaseIterable, Sendable {
    /// Sketches on virtual boards.
    case virtual
    /// Building for real boards, and flashing them.
    case boards
    /// The Bluetooth adapter of this machine.
    case bluetooth
    /// espbench's own tests in virtual machines, in a checkout of its repository.
    case machines

    /// The heading in the report.
    var title: String {
        switch self {
        case .virtual: "virtual boards"
        case .boards: "real boards"
        case .bluetooth: "Bluetooth"
        case .machines: "virtual machines (espbench's own tests)"
        }
    }
}

/// The finding of a check.
package struct DoctorFinding: Hashable, Sendable {
    /// The result of a check.
    package enum State: String, Hashable, Sendable {
        case ok
        /// Missing or broken; the area does not work without it.
        case missing
        /// Missing or broken; the area works without it, but with limitations.
        case optional
        /// There is nothing to check, e.g. no board is plugged in.
        case none
    }

    package var state: State
    /// The finding, or the missing part; one line.
    package var detail: String
    /// The remedy: a command or an instruction.
    package var remedy: String?

    /// The requirement is met.
    package static func ok(_ detail: String) -> DoctorFinding { DoctorFinding(state: .ok, detail: detail) }

    /// The requirement is missing, and the area needs it.
    package static func missing(_ detail: String, _ remedy: String) -> DoctorFinding {
        DoctorFinding(state: .missing, detail: detail, remedy: remedy)
    }

    /// The requirement is missing, but the area works without it.
    package static func optional(_ detail: String, _ remedy: String) -> DoctorFinding {
        DoctorFinding(state: .optional, detail: detail, remedy: remedy)
    }

    /// There is nothing to check.
    package static func none(_ detail: String) -> DoctorFinding { DoctorFinding(state: .none, detail: detail) }
}

/// One requirement of a machine.
package struct DoctorCheck: Sendable {
    /// The name of the check in the report, e.g. `C++ compiler`.
    package let name: String
    /// The area that has this requirement.
    package let area: DoctorArea
    /// Checks a machine.
    package let run: @Sendable (Machine) async -> DoctorFinding

    package init(_ name: String, _ area: DoctorArea, _ run: @escaping @Sendable (Machine) async -> DoctorFinding) {
        self.name = name
        self.area = area
        self.run = run
    }

    /// All checks, in the order of the report.
    package static let all: [DoctorCheck] = compilerChecks + boardChecks + bluetoothChecks + machineChecks
}

extension DoctorCheck {
    /// The requirements of this machine's Bluetooth adapter. Boards on a virtual air, and controllers of h4:, do not
    /// need an adapter.
    static let bluetoothChecks = [
        DoctorCheck("adapter", .bluetooth, adapter), DoctorCheck("rfkill", .bluetooth, rfkill),
        DoctorCheck("system bus", .bluetooth, systemBus), DoctorCheck("bluetoothd", .bluetooth, bluetoothd),
        DoctorCheck("adapter power", .bluetooth, adapterPower),
    ]

    @Sendable private static func adapter(_ machine: Machine) async -> DoctorFinding {
        guard machine.isLinux else { return .ok("macOS has one") }
        guard machine.exists("/sys/class/bluetooth") else {
            return .missing(
                "the kernel has no Bluetooth: /sys/class/bluetooth is not there", machine.asRoot("modprobe bluetooth"))
        }
        let adapters = machine.names(in: "/sys/class/bluetooth").filter { $0.hasPrefix("hci") && !$0.contains(":") }
        guard !adapters.isEmpty else {
            return .missing(
                "no adapter",
                machine.asRoot("dmesg | grep -i bluetooth")
                    + "  # plug one in; shows whether it lacks a driver or firmware")
        }
        return .ok(adapters.joined(separator: ", "))
    }

    @Sendable private static func rfkill(_ machine: Machine) async -> DoctorFinding {
        let switches = machine.names(in: "/sys/class/rfkill").map { "/sys/class/rfkill/\($0)" }
            .filter { machine.text(of: "\($0)/type") == "bluetooth" }
        for place in switches {
            let name = machine.text(of: "\(place)/name") ?? place
            if machine.text(of: "\(place)/hard") == "1" {
                return .missing("\(name) is switched off by a switch or key of the machine", "switch it on there")
            }
            if machine.text(of: "\(place)/soft") == "1" {
                return .missing("\(name) is blocked", "echo 0 | \(machine.asRoot("tee \(place)/soft"))")
            }
        }
        return switches.isEmpty ? .none("there is no switch for Bluetooth") : .ok("nothing is blocked")
    }

    @Sendable private static func systemBus(_ machine: Machine) async -> DoctorFinding {
        guard machine.isLinux else { return .none("macOS has none") }
        let bus = SystemBus(machine.variables, root: machine.root)
        guard bus.exists else {
            return .missing(
                "\(bus.path ?? bus.address) is not there: no D-Bus system bus runs", machine.starting("dbus"))
        }
        return .ok(bus.address)
    }

    @Sendable private static func bluetoothd(_ machine: Machine) async -> DoctorFinding {
        guard machine.isLinux else { return .none("macOS has its own") }
        let bus = SystemBus(machine.variables, root: machine.root)
        guard bus.exists else { return .none("without a system bus there is none") }
        guard let outcome = await objects(bus, machine) else {
            return .optional("neither busctl nor dbus-send is in PATH to ask the bus", machine.installing("dbus"))
        }
        if outcome.isSuccess { return .ok("it answers on the bus") }
        let text = outcome.lastLine
        if text.localizedCaseInsensitiveContains("access") || text.localizedCaseInsensitiveContains("policy") {
            return .missing("this user may not talk to it: \(text)", machine.joining("bluetooth"))
        }
        let start = machine.starting("bluetooth")
        let remedy =
            machine.program("bluetoothd") != nil || machine.exists("/usr/libexec/bluetooth/bluetoothd")
            ? start : "\(machine.installing("bluez")) && \(start)"
        return .missing("it does not run: \(text)", remedy)
    }

    /// Checks if an adapter is switched on: bluetoothd's property `Powered`, which only adapters have.
    @Sendable private static func adapterPower(_ machine: Machine) async -> DoctorFinding {
        guard machine.isLinux else { return .none("macOS shows it in its menu bar") }
        let bus = SystemBus(machine.variables, root: machine.root)
        guard bus.exists, let outcome = await objects(bus, machine), outcome.isSuccess else {
            return .none("without bluetoothd it is not known")
        }
        // The output format of busctl and of dbus-send.
        let states = outcome.output.matches(of: #/"Powered"\s+(?:b|variant\s+boolean)\s+(true|false)/#).map(\.1)
        guard !states.isEmpty else { return .none("bluetoothd has no adapter") }
        guard states.contains("true") else {
            return .missing("bluetoothd's adapter is switched off", "bluetoothctl power on")
        }
        return .ok(states.count > 1 ? "at least one adapter is switched on" : "it is switched on")
    }

    /// All objects of bluetoothd on the bus; `nil` if no program for the query is installed.
    private static func objects(_ bus: SystemBus, _ machine: Machine) async -> ProgramOutcome? {
        guard let program = machine.program("busctl", "dbus-send") else { return nil }
        let (interface, member) = ("org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
        return await machine.run(
            program,
            program.hasSuffix("busctl")
                ? ["--address=\(bus.address)", "--timeout=5", "call", "org.bluez", "/", interface, member]
                : [
                    "--bus=\(bus.address)", "--print-reply", "--reply-timeout=5000", "--dest=org.bluez", "/",
                    "\(interface).\(member)",
                ])
    }
}

extension DoctorCheck {
    /// The requirements of real boards.
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

    /// Checks the ttys of USB devices, and whether the user may open them.
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

    /// Checks if usb: ports can be opened without being root.
    @Sendable private static func usbAccess(_ machine: Machine) async -> DoctorFinding {
        guard machine.isLinux, !machine.isRoot else { return .ok("this user may open usb: ports") }
        let folders = ["/etc/udev/rules.d", "/run/udev/rules.d", "/usr/lib/udev/rules.d", "/lib/udev/rules.d"]
        guard let folder = folders.first(where: { machine.exists("\($0)/60-espbench.rules") }) else {
            return .optional("no udev rule for usb: ports; /dev/tty… ports do without", udevRemedy(machine))
        }
        return .ok("\(folder)/60-espbench.rules")
    }
    /// The remedy for a checkout, or for the place where espbench was installed.
    private static func udevRemedy(_ machine: Machine) -> String {
        if let folder = machine.folder(with: "Scripts/setup") { return "'\(folder)/Scripts/setup' --udev" }
        let installed = "share/espbench/udev/60-espbench.rules"
        let folder = machine.folder(with: installed) ?? "/usr/local"
        return [
            "cp '\(folder)/\(installed)' /etc/udev/rules.d/", "udevadm control --reload", "udevadm trigger",
        ].map(machine.asRoot).joined(separator: " && ")
    }
}

extension DoctorCheck {
    private static let program = "int main() { return 0; }\n"

    /// The requirements of sketches on virtual boards.
    static let compilerChecks = [
        DoctorCheck("C++ compiler", .virtual) { machine in
            let remedy = machine.isLinux ? machine.installing("g++") : "xcode-select --install"
            guard let compiler = machine.program("c++", "g++", "clang++") else {
                return .missing("no c++, g++ or clang++ in PATH", remedy)
            }
            let arguments = ["-std=gnu++2b", "-x", "c++", "-fsyntax-only", "-"]
            guard let outcome = await machine.run(compiler, arguments, input: "#include <vector>\n" + program) else {
                return .missing("\(compiler) cannot be run", remedy)
            }
            guard outcome.isSuccess else {
                return .missing("\(compiler) compiles no C++23 with the standard library: \(outcome.lastLine)", remedy)
            }
            let version = await machine.run(compiler, ["--version"])
            return .ok([compiler, version?.firstLine ?? ""].filter { !$0.isEmpty }.joined(separator: ": "))
        },
        DoctorCheck("32-bit support", .virtual) { machine in
            guard let compiler = machine.program("c++", "g++", "clang++") else {
                return .none("no compiler to ask")
            }
            let outcome = await machine.run(
                compiler, ["-m32", "-x", "c++", "-o", "/dev/null", "-"], input: "#include <vector>\n" + program)
            guard outcome?.isSuccess == true else {
                guard HostProgram.runnableABIs.contains(HostProgram.chipModelABI) else {
                    return .none("only x86-64 Linux runs 32-bit programs; sketches are 64-bit")
                }
                return .optional(
                    "\(compiler) -m32 makes no programs: sketches are compiled 64-bit, and long, size_t and pointers have 8 "
                        + "bytes, on the chip 4",
                    machine.installing("g++-multilib"))
            }
            return .ok("\(compiler) -m32 makes programs")
        },
        DoctorCheck("Swift", .virtual) { machine in
            machine.program("swift").map { .ok("\($0); only tests in Swift need it") }
                ?? .none("not installed; only tests in Swift need it")
        },
    ]
}

extension DoctorCheck {
    /// The requirements of `Scripts/vm`, which is only available in a checkout of espbench's repository.
    static let machineChecks = [
        DoctorCheck("kernel", .machines) { machine in
            guard let folder = machine.folder(with: "Scripts/vm") else {
                return .none("this espbench is in no checkout of its repository")
            }
            let cache = machine.variables["XDG_CACHE_HOME"] ?? "\(machine.variables["HOME"] ?? "")/.cache"
            let kernel = "\(cache)/espbench/vm/kernel/linux"
            guard machine.exists(kernel) else {
                return .optional(
                    "not built yet: Scripts/vm does that in some 3 minutes", "'\(folder)/Scripts/vm' --probe")
            }
            return .ok(kernel)
        }
    ]
}
