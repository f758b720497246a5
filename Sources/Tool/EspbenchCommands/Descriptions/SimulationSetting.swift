internal import BLEDescriptions
internal import SourceText
import YAMLReading

/// A value of a simulated peripheral that the user sets: `humidity.relative=40.2`.
struct SimulationSetting: Sendable {
    private let path: String
    private let wave: Wave

    /// - Throws: ``CommandFailure`` with exit code `usage`.
    init(_ text: String, _ description: PeripheralDescription) throws(CommandFailure) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw CommandFailure(
                .usage, "expected VALUE=CONTENT such as humidity.relative=40.2, got '\(text.printable)'")
        }
        path = parts[0].filter { $0 != " " }
        do {
            wave = try description.wave(String(parts[1]), of: path, file: path)
        } catch {
            throw CommandFailure(.usage, "\(error)", code: "description.value")
        }
    }

    /// Sets it.
    ///
    /// - Throws: ``CommandFailure`` with exit code `usage`.
    func apply(to peripheral: SimulatedPeripheral) async throws {
        do {
            try await peripheral.set(path, to: wave)
        } catch {
            throw CommandFailure(.usage, "\(error)", code: "description.value")
        }
    }
}
