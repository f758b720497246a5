public import Bench
public import BLECore
public import Testing

/// A board of a test's bench.
public struct TestBoard: Sendable {
    let bench: TestBench
    let id: BoardID

    // MARK: Supply, reset, buttons

    /// Switches the supply; the board's events so far are discarded when it goes off.
    public func setPower(_ isOn: Bool, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await bench.call(sourceLocation) { session throws(BenchFailure) in try await session.setPower(isOn, of: id)
        }
    }

    /// Switches the supply off for 100 ms.
    public func cyclePower(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await bench.call(sourceLocation) { session throws(BenchFailure) in try await session.cyclePower(of: id) }
    }

    /// Resets the board by its EN pin; its events so far are discarded.
    public func reset(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await bench.call(sourceLocation) { session throws(BenchFailure) in try await session.reset(id) }
    }

    /// Switches the supply off for 100 ms; the NVS is kept, or erased.
    public func reboot(erasesNVS: Bool = false, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await bench.call(sourceLocation) { session throws(BenchFailure) in
            try await session.reboot(id, erasesNVS: erasesNVS)
        }
    }

    /// Presses and releases the button between a pin and ground.
    ///
    /// - Parameter pin: GPIO 0 has the board's BOOT button.
    public func press(
        pin: Int = 0, for duration: Duration = .milliseconds(100), sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await bench.call(sourceLocation) { session throws(BenchFailure) in
            try await session.pressButton(pin: pin, for: duration, of: id)
        }
    }

    /// Presses or releases the button between a pin and ground.
    public func setButton(
        pin: Int = 0, isPressed: Bool, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await bench.call(sourceLocation) { session throws(BenchFailure) in
            try await session.setButton(pin: pin, isPressed: isPressed, of: id)
        }
    }

    /// Sends a line to the console.
    public func type(_ line: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await bench.call(sourceLocation) { session throws(BenchFailure) in try await session.type(line, to: id) }
    }

    // MARK: Expectations

    /// Expects a console line with exactly this text.
    public func expectConsole(
        _ line: String, within timeout: Duration = .seconds(1), sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await bench.expect(.console(.line(line), of: id), timeout, sourceLocation)
    }

    /// Expects a console line that contains a match of a regular expression, e.g. `#"Passkey: \d{6}"#`.
    public func expectConsole(
        matching pattern: String, within timeout: Duration = .seconds(1),
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await bench.expect(.console(.regex(pattern), of: id), timeout, sourceLocation)
    }

    /// Expects a console line that has begun with exactly this text and not ended.
    public func expectPrompt(
        _ text: String, within timeout: Duration = .seconds(1), sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await bench.expect(.prompt(text, of: id), timeout, sourceLocation)
    }

    /// Expects a position or movement of a servo.
    ///
    /// - Parameter pin: the GPIO number of its signal; `nil`: any.
    public func expectServo(
        _ movement: ServoPattern.Movement, pin: Int? = nil, within timeout: Duration = .seconds(1),
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await bench.expect(.servo(ServoPattern(movement, pin: pin), of: id), timeout, sourceLocation)
    }

    /// Expects the level of a pin that the sketch drives: it has the level, or gets it in time. Skipped levels cannot be
    /// expected later; with a time, levels before this call are skipped.
    ///
    /// - Parameters:
    ///   - pin: the GPIO number.
    ///   - isHigh: true for high.
    ///   - time: how long the level must stay unchanged from then on.
    public func expectPin(
        _ pin: Int, isHigh: Bool, for time: Duration = .zero, within timeout: Duration = .seconds(1),
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await bench.call(sourceLocation) { session throws(BenchFailure) in
            try await session.expect(.pin(pin, isHigh: isHigh), for: time, within: timeout, of: id)
        }
    }

    // MARK: Bonds

    /// The identity addresses of the centrals that the board has bonds with, the oldest first.
    public func bonds(sourceLocation: SourceLocation = #_sourceLocation) async throws -> [DeviceAddress] {
        try await bench.call(sourceLocation) { session throws(BenchFailure) in try await session.boardBonds(of: id) }
    }

    /// Deletes the board's bond with a central, or all bonds, without notifying the firmware.
    public func forgetBonds(
        with central: TestCentral? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        if let central, central.bench.session !== bench.session {
            throw bench.failure("a central of this bench", got: "one of another bench", sourceLocation)
        }
        try await bench.call(sourceLocation) { session throws(BenchFailure) in
            try await session.forgetBoardBonds(of: id, with: central?.id)
        }
    }
}
