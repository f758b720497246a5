internal import SerialPort

/// The ttys of this machine that have hardware behind them.
struct TTYList: Sendable {
    /// A tty.
    struct Entry: Equatable {
        var path: String
        var name = ""
        var driver = ""
        var usb: USBIdentity?
        var holder: String?
    }

    let system: String
    let devices: String
    let processes: String

    #if os(Linux)
        /// All ttys in sysfs that have a device, sorted by name, with numbers in numeric order.
        ///
        /// Virtual terminals have no device. A UART of the mainboard (`ttyS0` …) has a device even without a chip: the
        /// kernel then sets its type to 0.
        func ports() -> [Entry] {
            let folder = system + "/class/tty"
            var result: [Entry] = []
            for name in SystemFiles.names(in: folder) {
                let tty = "\(folder)/\(name)"
                guard let device = SystemFiles.resolve(tty + "/device"), SystemFiles.text(tty + "/type") != "0",
                    SystemFiles.exists("\(devices)/\(name)")
                else { continue }
                result.append(entry(name, device))
            }
            let holders = PortHolders(processes: processes).holders(of: Set(result.map(\.path)))
            for index in result.indices { result[index].holder = holders[result[index].path] }
            return result.sorted { Self.isBefore($0.path, $1.path) }
        }

        /// The USB device behind the tty at `path`, which may be a link.
        func usb(of path: String) -> USBIdentity? {
            let name = SystemFiles.lastPart(SystemFiles.link(path) ?? path)
            return SystemFiles.resolve("\(system)/class/tty/\(name)/device").flatMap { entry(name, $0).usb }
        }

        private func entry(_ name: String, _ device: String) -> Entry {
            var entry = Entry(path: "\(devices)/\(name)")
            entry.driver = SystemFiles.link(device + "/driver").map(SystemFiles.lastPart) ?? ""
            // The tty belongs to an interface of a USB device, with or without a device of the bridge's driver
            // between: .../1-2/1-2:1.0/ttyUSB0, .../1-2/1-2:1.0.
            var folder = device
            while folder.count > system.count, !SystemFiles.exists(folder + "/idVendor") {
                folder = SystemFiles.parent(folder)
            }
            guard folder.count > system.count, let vendor = hexadecimal(folder + "/idVendor"),
                let product = hexadecimal(folder + "/idProduct")
            else {
                entry.name = name.hasPrefix("ttyS") ? "UART of the machine" : ""
                return entry
            }
            entry.usb = USBIdentity(
                vendor: vendor, product: product, serialNumber: SystemFiles.text(folder + "/serial"),
                location: SystemFiles.lastPart(folder))
            entry.name = Self.name(
                maker: SystemFiles.text(folder + "/manufacturer") ?? "",
                product: SystemFiles.text(folder + "/product") ?? "")
            return entry
        }

        private func hexadecimal(_ path: String) -> UInt16? {
            SystemFiles.text(path).flatMap { UInt16($0, radix: 16) }
        }
    #else
        /// Unknown.
        func usb(of path: String) -> USBIdentity? { nil }

        /// All call-out devices, which open without waiting for a carrier.
        func ports() -> [Entry] {
            SystemFiles.names(in: devices).filter { $0.hasPrefix("cu.") }.sorted(by: Self.isBefore).map {
                Entry(path: "\(devices)/\($0)")
            }
        }
    #endif

    /// The product's name, preceded by the maker's unless the product's name begins with it.
    static func name(maker: String, product: String) -> String {
        if maker.isEmpty || product.lowercased().hasPrefix(maker.lowercased()) { return product }
        return product.isEmpty ? maker : "\(maker) \(product)"
    }

    /// True if `first` is listed before `second`: `ttyUSB2` before `ttyUSB10`.
    static func isBefore(_ first: String, _ second: String) -> Bool {
        func parts(_ text: String) -> (name: Substring, number: Int) {
            let digits = text.reversed().prefix { $0.isASCII && $0.isNumber }.count
            return (text.dropLast(digits), Int(text.suffix(digits)) ?? -1)
        }
        let (one, two) = (parts(first), parts(second))
        return one.name == two.name ? one.number < two.number : one.name < two.name
    }
}
