import Foundation

/// Where the system's D-Bus is.
struct SystemBus: Sendable {
    /// The standard place of its socket (D-Bus Specification, "Well-known Message Bus Instances").
    private static let standard = "/run/dbus/system_bus_socket"

    /// The address, as clients take it.
    let address: String
    /// The socket's path; `nil` for another transport than a socket in the file system.
    let path: String?

    /// The bus that `variables` name, or the standard one below `root`.
    init(_ variables: [String: String], root: String = "") {
        address = variables["DBUS_SYSTEM_BUS_ADDRESS"] ?? "unix:path=\(root)\(Self.standard)"
        path = address.hasPrefix("unix:path=") ? String(address.dropFirst(10).prefix { $0 != "," }) : nil
    }

    /// Whether its socket exists; true where that cannot be known.
    var exists: Bool { path.map { FileManager.default.fileExists(atPath: $0) } ?? true }
}
