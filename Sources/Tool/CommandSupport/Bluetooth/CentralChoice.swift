package import BenchExecutor
import BenchModel
package import BLECentral
import BLECentralBackends
import BLECentralHCI
import FirmwareBuild
import Foundation
internal import LogFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Chooses the Bluetooth stack for a command without `--central`.
package struct CentralChoice: Sendable {
    /// The variable with the address that is used without `--central`.
    package static let variable = "ESPBENCH_CENTRAL"

    private let environment: Environment

    package init(_ environment: Environment) {
        self.environment = environment
    }

    /// The address given by the user: `given`, or else the address in the environment.
    ///
    /// - Throws: ``CommandFailure`` when that is not an address.
    package func named(_ given: CentralAddress?) throws(CommandFailure) -> CentralAddress? {
        if let given { return given }
        guard let text = environment.variables[Self.variable], !text.isEmpty else { return nil }
        do throws(CentralAddressError) {
            return try CentralAddress(text)
        } catch {
            throw CommandFailure(.usage, "\(Self.variable): \(error)")
        }
    }

    /// The stack at `given`; else the stack at the address in the environment; else the system's only adapter.
    ///
    /// - Throws: ``CommandFailure`` with exit code `noCentral` when there is none, or more than one.
    package func address(_ given: CentralAddress?, on executor: BenchExecutor) async throws -> CentralAddress {
        if let address = try named(given) { return address }
        return try AdapterChoice(try await systemAdapters(on: executor)).adapter.address
    }

    /// The adapters of the system.
    ///
    /// - Throws: ``CommandFailure`` with exit code `noCentral` when the system's stack does not run, or the user may
    ///   not use it.
    package func systemAdapters(on executor: BenchExecutor) async throws -> [CentralAdapter] {
        do {
            return try await CentralBackends.systemAdapters(
                on: executor, systemBus: environment.variables["DBUS_SYSTEM_BUS_ADDRESS"])
        } catch let error as CentralError {
            var failure = CommandFailure(error)
            failure.message = "the system's Bluetooth cannot be used: \(failure.message)"
            throw failure
        }
    }
}

/// The adapter that commands use without `--central`: the only adapter, or the only one that is switched on.
package struct AdapterChoice: Sendable {
    package let adapter: CentralAdapter
    /// The reason for the choice, as text that follows "which is".
    package let reason: String

    /// The failure without any adapter.
    package static let absence = CommandFailure(
        .noCentral, "expected a Bluetooth adapter, this system has none", code: "central.absent.adapter")

    /// The choice among the adapters of the system.
    ///
    /// - Throws: ``CommandFailure`` with exit code `noCentral` when there is none, or more than one.
    package init(_ adapters: [CentralAdapter]) throws(CommandFailure) {
        let powered = adapters.filter(\.isPowered)
        if adapters.count == 1, let only = adapters.first {
            (adapter, reason) = (only, "the only adapter")
        } else if powered.count == 1, let only = powered.first {
            (adapter, reason) = (only, "the only one that is switched on")
        } else if adapters.isEmpty {
            throw Self.absence
        } else {
            let list = adapters.map { adapter in
                [adapter.deviceAddress.map { "\($0)" }, adapter.name?.printable].compactMap { $0 }
                    .reduce("\(adapter.address)") { "\($0) \($1)" }
            }
            throw CommandFailure(
                .noCentral,
                "expected one Bluetooth adapter or --central, there are several: \(list.joined(separator: ", "))",
                code: "central.several")
        }
    }
}

/// The location of the keys of bonded peers of espbench's own host.
package enum BondPlace {
    /// The store at `path`, or in the user's state folder. An empty file is replaced, with a note on `output`.
    ///
    /// - Throws: ``CommandFailure`` when the folder cannot be created, or others may use the file.
    package static func store(_ path: String?, _ environment: Environment, _ output: Output) throws(CommandFailure)
        -> BondFile
    {
        let place: String
        if let path {
            try PrivateInput.check(path, option: "--bonds")
            try checkFolder(of: path)
            place = path
        } else {
            do throws(FirmwareBuildError) {
                let folder = try environment.stateFolder
                try FileTree.makeFolder(folder)
                place = folder + "/bonds"
            } catch {
                throw CommandFailure(.benchFault, error.detail, code: "central.storage")
            }
        }
        PrivateInput.noteIfEmpty(place, with: "bonds", output)
        return BondFile(path: place)
    }

    /// Checks that keys can be stored at `path`, because after a pairing an error would be too late.
    private static func checkFolder(of path: String) throws(CommandFailure) {
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        guard access(folder, W_OK | X_OK) == 0 else { throw OutputFile.notCreated("--bonds \(path)", path) }
        guard !FileTree.isFolder(path) else {
            throw OutputFile.notCreated("--bonds \(path)", path, SystemFault(EISDIR))
        }
    }
}

/// The location of the system's D-Bus.
package struct SystemBus: Sendable {
    /// The standard path of the socket (D-Bus Specification, "Well-known Message Bus Instances").
    private static let standard = "/run/dbus/system_bus_socket"

    /// The address in the form that clients expect.
    package let address: String
    /// The socket's path; `nil` if the transport is not a socket in the file system.
    package let path: String?

    /// The bus that `variables` name, or the standard one below `root`.
    package init(_ variables: [String: String], root: String = "") {
        address = variables["DBUS_SYSTEM_BUS_ADDRESS"] ?? "unix:path=\(root)\(Self.standard)"
        path = address.hasPrefix("unix:path=") ? String(address.dropFirst(10).prefix { $0 != "," }) : nil
    }

    /// True if the socket exists, or if that cannot be determined.
    package var exists: Bool { path.map { FileManager.default.fileExists(atPath: $0) } ?? true }
}
