import Foundation
extension DoctorCheck {
    /// What the Bluetooth adapter of this machine needs. Boards on a virtual air, and controllers of h4:, need none of it.
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

    /// Whether an adapter is switched on: bluetoothd's property `Powered`, of adapters only.
    @Sendable private static func adapterPower(_ machine: Machine) async -> DoctorFinding {
        guard machine.isLinux else { return .none("macOS shows it in its menu bar") }
        let bus = SystemBus(machine.variables, root: machine.root)
        guard bus.exists, let outcome = await objects(bus, machine), outcome.isSuccess else {
            return .none("without bluetoothd it is not known")
        }
        // As busctl and as dbus-send print it.
        let states = outcome.output.matches(of: #/"Powered"\s+(?:b|variant\s+boolean)\s+(true|false)/#).map(\.1)
        guard !states.isEmpty else { return .none("bluetoothd has no adapter") }
        guard states.contains("true") else {
            return .missing("bluetoothd's adapter is switched off", "bluetoothctl power on")
        }
        return .ok(states.count > 1 ? "at least one adapter is switched on" : "it is switched on")
    }

    /// All that bluetoothd has on the bus; `nil` where no program can ask.
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
