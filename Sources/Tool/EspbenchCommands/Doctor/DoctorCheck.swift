/// What a machine is needed for; the doctor checks each.
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

/// What a check has found.
package struct DoctorFinding: Hashable, Sendable {
    /// How it is.
    package enum State: String, Hashable, Sendable {
        case ok
        /// Missing or broken, and what the area is for does not work without it.
        case missing
        /// Missing or broken; what the area is for works without, if less well.
        case optional
        /// There is nothing to check, e.g. no board is plugged in.
        case none
    }

    package var state: State
    /// What was found, or what is missing; a line.
    package var detail: String
    /// How to mend it: a command, or what to do.
    package var remedy: String?

    /// It is as it should be.
    static func ok(_ detail: String) -> DoctorFinding { DoctorFinding(state: .ok, detail: detail) }

    /// It is missing, and needed.
    static func missing(_ detail: String, _ remedy: String) -> DoctorFinding {
        DoctorFinding(state: .missing, detail: detail, remedy: remedy)
    }

    /// It is missing, and useful.
    static func optional(_ detail: String, _ remedy: String) -> DoctorFinding {
        DoctorFinding(state: .optional, detail: detail, remedy: remedy)
    }

    /// There is nothing to check.
    static func none(_ detail: String) -> DoctorFinding { DoctorFinding(state: .none, detail: detail) }
}

/// One thing that a machine needs.
package struct DoctorCheck: Sendable {
    /// Its name in the report, e.g. `C++ compiler`.
    package let name: String
    /// What it is needed for.
    package let area: DoctorArea
    /// Looks at a machine.
    package let run: @Sendable (Machine) async -> DoctorFinding

    init(_ name: String, _ area: DoctorArea, _ run: @escaping @Sendable (Machine) async -> DoctorFinding) {
        self.name = name
        self.area = area
        self.run = run
    }

    /// All checks, in the order of the report.
    package static let all: [DoctorCheck] = compilerChecks + boardChecks + bluetoothChecks + machineChecks
}
