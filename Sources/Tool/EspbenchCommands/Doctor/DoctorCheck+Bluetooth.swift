import Foundation
extension DoctorCheck {
    private static let start = "sudo systemctl start bluetooth"

    /// What the Bluetooth adapter of this machine needs. Boards on a virtual air, and controllers of h4:, need none of it.
    static let bluetoothChecks = [
        DoctorCheck("adapter", .bluetooth, adapter), DoctorCheck("rfkill", .bluetooth, rfkill),
        DoctorCheck("system bus", .bluetooth, systemBus), DoctorCheck("bluetoothd", .bluetooth, bluetoothd),
    ]

    @Sendable private static func adapter(_ machine: Machine) async -> DoctorFinding {
        guard machine.isLinux else { return .ok("macOS has one") }
        guard machine.exists("/sys/class/bluetooth") else {
            return .missing("the kernel has no Bluetooth: /sys/class/bluetooth is not there", "sudo modprobe bluetooth")
        }
        let adapters = machine.names(in: "/sys/class/bluetooth").filter { $0.hasPrefix("hci") && !$0.contains(":") }
        guard !adapters.isEmpty else {
            return .missing(
                "no adapter",
                "plug one in; 'sudo dmesg | grep -i bluetooth' shows whether it lacks a driver or firmware")
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
                return .missing("\(name) is blocked", "sudo rfkill unblock bluetooth")
            }
        }
        return switches.isEmpty ? .none("there is no switch for Bluetooth") : .ok("nothing is blocked")
    }

    @Sendable private static func systemBus(_ machine: Machine) async -> DoctorFinding {
        guard machine.isLinux else { return .none("macOS has none") }
        let bus = SystemBus(machine.variables, root: machine.root)
        guard bus.exists else {
            return .missing(
                "\(bus.path ?? bus.address) is not there: no D-Bus system bus runs", "sudo systemctl start dbus")
        }
        return .ok(bus.address)
    }

    @Sendable private static func bluetoothd(_ machine: Machine) async -> DoctorFinding {
        guard machine.isLinux else { return .none("macOS has its own") }
        let bus = SystemBus(machine.variables, root: machine.root)
        guard bus.exists else { return .none("without a system bus there is none") }
        guard let program = machine.program("busctl", "dbus-send") else {
            return .optional("neither busctl nor dbus-send is in PATH to ask the bus", "sudo apt-get install dbus")
        }
        let arguments =
            program.hasSuffix("busctl")
            ? ["--address=\(bus.address)", "--timeout=5", "tree", "org.bluez"]
            : [
                "--bus=\(bus.address)", "--print-reply", "--reply-timeout=5000", "--dest=org.bluez", "/",
                "org.freedesktop.DBus.ObjectManager.GetManagedObjects",
            ]
        guard let outcome = await machine.run(program, arguments) else {
            return .missing("\(program) does not run", start)
        }
        if outcome.isSuccess { return .ok("it answers on the bus") }
        let text = outcome.lastLine
        if text.localizedCaseInsensitiveContains("access") || text.localizedCaseInsensitiveContains("policy") {
            return .missing(
                "this user may not talk to it: \(text)", "sudo usermod -aG bluetooth $USER, then log in again")
        }
        let remedy =
            machine.program("bluetoothd") != nil || machine.exists("/usr/libexec/bluetooth/bluetoothd")
            ? start : "sudo apt-get install bluez && \(start)"
        return .missing("it does not run: \(text)", remedy)
    }
}
