internal import BLECentral

/// Chooses the Bluetooth stack for a command that was given none.
struct CentralChoice: Sendable {
    /// The variable with the address that is used without `--central`.
    static let variable = "ESPBENCH_CENTRAL"

    private let environment: Environment
    private let systems: SystemCentrals

    /// A choice on this machine.
    init(_ environment: Environment, _ systems: SystemCentrals? = nil) {
        self.environment = environment
        self.systems = systems ?? SystemCentrals(environment)
    }

    /// The stack at `given`; without it that of the environment, or else the system's.
    ///
    /// - Throws: ``CommandFailure`` with exit code `noCentral` when the system has none.
    func address(_ given: CentralAddress?) throws(CommandFailure) -> CentralAddress {
        if let given { return given }
        if let text = environment.variables[Self.variable], !text.isEmpty {
            do throws(CentralAddressError) {
                return try CentralAddress(text)
            } catch {
                throw CommandFailure(.usage, "\(Self.variable): \(error)")
            }
        }
        if let address = systems.address { return address }
        throw CommandFailure(
            .noCentral,
            "no --central, and \(systems.absence): expected \(CentralAddress.forms.joined(separator: ", "))",
            code: "central.none")
    }
}

/// The Bluetooth stack of the operating system.
struct SystemCentrals: Sendable {
    /// Its address; `nil` where there is none.
    let address: CentralAddress?
    /// Why there is none.
    let absence: String

    /// That of this machine.
    init(_ environment: Environment) {
        #if os(macOS)
            (address, absence) = (.coreBluetooth, "")
        #else
            let files = SystemBus(environment.variables)
            address = files.exists ? .bluez(adapter: nil) : nil
            absence = "this machine has no system bus, so no bluetoothd"
        #endif
    }

    /// A system with this stack, or none.
    init(_ address: CentralAddress?, absence: String = "") {
        self.address = address
        self.absence = absence
    }
}
