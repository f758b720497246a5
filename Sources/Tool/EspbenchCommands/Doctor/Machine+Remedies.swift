/// Commands that mend this machine when they are pasted into its shell.
extension Machine {
    /// `command` as the user may run it: root needs no sudo, which containers often lack.
    func asRoot(_ command: String) -> String { isRoot ? command : "sudo \(command)" }

    /// Starts a service of the system.
    func starting(_ service: String) -> String {
        asRoot(exists("/run/systemd/system") ? "systemctl start \(service)" : "service \(service) start")
    }

    /// Installs packages of Debian.
    func installing(_ packages: String) -> String { asRoot("apt-get install \(packages)") }

    /// Makes the user a member of a group.
    func joining(_ group: String) -> String { asRoot("usermod -aG \(group) $USER") + "  # then log in again" }

    /// The first folder above the program that has a file at `path`, e.g. a checkout of espbench's repository.
    func folder(with path: String) -> String? { programFolders.first { exists("\($0)/\(path)") } }
}
