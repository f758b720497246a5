internal import BenchExecutor
import BLEAssignedNumbers
internal import BLECentral
internal import BLEDescriptions
internal import BLEPeripheral
internal import BLESimulation
import CommandSupport
internal import SourceText
import Synchronization
import YAMLReading

/// A simulated peripheral while the command runs: prints the actions of centrals, and reads lines that set values.
final class Simulation: Sendable {
    private let description: PeripheralDescription
    private let output: Output
    private let interruption = Interruption()
    private let interpreter: Mutex<ValueInterpreter>
    private let failure = Mutex<(any Error)?>(nil)

    init(_ description: PeripheralDescription, _ output: Output) {
        self.description = description
        self.output = output
        interpreter = Mutex(ValueInterpreter([description]))
    }

    /// Publishes the peripheral, and returns at Ctrl-C.
    ///
    /// - Throws: why the peripheral could not be published, or is no longer published.
    func run(_ peripheral: SimulatedPeripheral, at address: CentralAddress) async throws {
        EndingSignals.watch(interruption)
        defer { EndingSignals.end() }
        do {
            try await peripheral.start()
        } catch let error as CentralError {
            throw CommandFailure(error)
        }
        output.remark("\(description.title) on \(address); Ctrl-C ends it")
        let lines = Task { await takeLines(peripheral) }
        for await _ in interruption.requests() {}
        lines.cancel()
        if let error = failure.withLock({ $0 }) { throw CommandFailure(.linkFailed, "\(error)") }
    }

    /// Sets values from lines of standard input; reports a faulty line and continues with the next one.
    private func takeLines(_ peripheral: SimulatedPeripheral) async {
        var pending: [UInt8] = []
        for await bytes in KeyboardInput.bytes(until: nil) {
            pending += bytes
            while let end = pending.firstIndex(of: 0x0A) {
                let line = String(decoding: pending[..<end], as: UTF8.self).filter { $0 != "\r" }
                pending.removeSubrange(...end)
                guard line.contains(where: { $0 != " " }) else { continue }
                do {
                    try await SimulationSetting(line, description).apply(to: peripheral)
                } catch {
                    output.note("error: \("\(error)".printable)")
                }
            }
            // Discards overlong input, since no setting is so long.
            if pending.count > 64 * 1024 { pending = [] }
        }
    }

    /// Prints an event; called on the executor.
    func show(_ event: SimulationEvent) {
        switch event {
        case .connected(let central): output.data("connected: \(central)\n")
        case .disconnected(let central): output.data("disconnected: \(central)\n")
        case .read(let characteristic, let value): line("read", characteristic, value)
        case .written(let characteristic, let value): line("written", characteristic, value)
        case .refused(let characteristic, let value): line("refused", characteristic, value)
        case .subscribed(let characteristic, let isOn):
            output.data("\(isOn ? "subscribed" : "unsubscribed"): \(characteristic.path)\n")
        case .passkey(let passkey): output.data("passkey: \(PasskeyText.text(passkey))\n")
        case .failed(let error):
            failure.withLock { $0 = error }
            interruption.request("the end of the Bluetooth stack")
        }
        if output.isDataLost { interruption.request("the loss of standard output") }
    }

    private func line(_ what: String, _ characteristic: CharacteristicDescription, _ value: [UInt8]) {
        let meaning = interpreter.withLock { $0.text(value, named: characteristic.path) }
        output.data("\(what): \(characteristic.path) = \(ShownValue.automatic.line(value, meaning))\n")
    }
}

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

    /// Sets the value.
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
