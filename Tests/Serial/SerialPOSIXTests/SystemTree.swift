import Foundation

/// A folder with the files of sysfs, /dev and procfs that ``TTYKind`` reads, as Linux 6.1 lays them out.
struct SystemTree {
    let root: URL

    init() throws {
        root = FileManager.default.temporaryDirectory.appending(path: "system-\(UUID())").resolvingSymlinksInPath()
        for folder in ["sys/class/tty", "dev", "proc"] { try makeFolder(folder) }
    }

    func path(_ name: String) -> String { root.appending(path: name).path }

    func remove() { try? FileManager.default.removeItem(at: root) }

    private func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(
            at: root.appending(path: name), withIntermediateDirectories: true)
    }

    func write(_ text: String, to name: String) throws {
        try makeFolder(String(name.prefix(upTo: name.lastIndex(of: "/") ?? name.startIndex)))
        try Data(text.utf8).write(to: root.appending(path: name))
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
    }

    /// Plugs a USB bridge in; `texts` are the attributes of the device. A `ttyACM` belongs to the interface itself.
    func plug(_ tty: String, at location: String, driver: String, _ texts: [String: String]) throws {
        let device = "sys/devices/pci0000:00/0000:00:14.0/usb1/\(location)"
        for (name, text) in texts { try write(text + "\n", to: "\(device)/\(name)") }
        let isACM = tty.hasPrefix("ttyACM")
        let interface = "\(device)/\(location):1.0"
        let owner = isACM ? interface : "\(interface)/\(tty)"
        try makeFolder("\(owner)/tty/\(tty)")
        try link("\(owner)/driver", to: "../../bus/usb/drivers/\(driver)")
        try link("\(owner)/tty/\(tty)/device", to: "../../../\(isACM ? "\(location):1.0" : tty)")
        try link("sys/class/tty/\(tty)", to: path("\(owner)/tty/\(tty)"))
        try write("", to: "dev/\(tty)")
    }

    /// Adds a UART of the machine; the type 0 means that there is no chip.
    func addUART(_ tty: String, type: Int) throws {
        let device = "sys/devices/platform/serial8250"
        try write("\(type)\n", to: "\(device)/tty/\(tty)/type")
        try link("\(device)/tty/\(tty)/device", to: "../../../serial8250")
        try link("sys/class/tty/\(tty)", to: path("\(device)/tty/\(tty)"))
        try write("", to: "dev/\(tty)")
    }
}
