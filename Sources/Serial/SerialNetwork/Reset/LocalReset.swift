import SerialPort

/// The resets that a server performs beside the board for a client.
enum LocalReset {
    /// Resets the chip on `port` into its loader; DTR alone stays asserted on a UART, as the client has it.
    static func intoLoader(_ port: any SerialPort) async throws {
        guard port.traits.interface == .uart else { return try await ResetSequence.reset(port, intoLoader: true) }
        let sequence = ResetSequence.intoLoader(over: .uart)
        let steps = Array(sequence.steps.dropLast())
        try await ResetSequence(name: sequence.name, steps: steps).perform(on: port)
    }
}
