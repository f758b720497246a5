extension DoctorCheck {
    /// What `Scripts/vm` needs; of no use without a checkout of espbench's repository.
    static let machineChecks = [
        DoctorCheck("QEMU", .machines) { machine in
            guard let folder = machine.folder(with: "Scripts/vm") else {
                return .none("this espbench is in no checkout of its repository")
            }
            guard let program = machine.program("qemu-system-x86_64") else {
                return .optional(
                    "no qemu-system-x86_64 in PATH; Scripts/vm installs it", "'\(folder)/Scripts/vm' --probe")
            }
            return .ok(program)
        },
        DoctorCheck("KVM", .machines) { machine in
            guard machine.folder(with: "Scripts/vm") != nil else {
                return .none("this espbench is in no checkout of its repository")
            }
            guard machine.exists("/dev/kvm") else { return .none("/dev/kvm is not there; Scripts/vm does without") }
            return .ok("/dev/kvm; Scripts/vm does without")
        },
    ]
}
