public import BLEDescriptions
import BenchModel

/// Described peripherals beside the boards.
extension BenchSession {
    /// Plays a described peripheral until the next case.
    ///
    /// - Parameters:
    ///   - name: its device name; `nil`: the description's.
    ///   - values: what values are or follow, by SERVICE.VALUE.
    public func simulate(
        _ description: PeripheralDescription, name: String? = nil, values: [(path: String, wave: Wave)] = []
    ) async throws(BenchFailure) {
        record("suite", PeripheralSimulated("\(description.name) on the air"))
        try await ask("\(description.name) to be simulated") {
            try await simulator().simulate(description, name: name, values: values)
        }
    }

    /// Sets values of a peripheral that is played.
    ///
    /// - Parameters:
    ///   - values: by SERVICE.VALUE.
    ///   - description: the name of its description.
    public func setSimulated(
        _ values: [(path: String, wave: Wave)], of description: String
    ) async throws(BenchFailure) {
        for (path, wave) in values { record("suite", PeripheralSimulated("\(path) = \(wave)")) }
        try await ask("values of the simulated \(description) to be set") {
            try await simulator().setSimulated(values, of: description)
        }
    }

    private func simulator() throws -> any AirControl {
        guard let air = bench.air, bench.abilities.contains(.simulation) else { throw UnsupportedByBench(.simulation) }
        return air
    }
}
