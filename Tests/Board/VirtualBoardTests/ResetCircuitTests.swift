import MonotonicTime
import SerialPort
import Testing
import VirtualBoard

@Suite struct ResetCircuitTests {
    /// Applies steps of (milliseconds before, dtr, rts) on a running board; returns the chip's events.
    private func play(_ steps: [(Int64, Int, Int)]) -> [ResetCircuit.Event] {
        var circuit = ResetCircuit()
        var now = MonotonicInstant.zero
        circuit.powerOn(at: now)
        now = now.advanced(by: .seconds(1))
        circuit.advance(to: now)
        _ = circuit.drainEvents()
        for (pause, dtr, rts) in steps {
            now = now.advanced(by: .milliseconds(pause))
            while let deadline = circuit.nextDeadline, deadline <= now { circuit.advance(to: deadline) }
            circuit.setModemLines(ModemLines(dtr: dtr == 1, rts: rts == 1), at: now)
        }
        circuit.advance(to: now.advanced(by: .seconds(2)))
        return circuit.drainEvents()
    }

    @Test func classicResetLineByLine() {
        // esptool: D0, R1, 100 ms, D1, R0, 50 ms, D0.
        let steps: [(Int64, Int, Int)] = [(0, 0, 0), (0, 0, 1), (100, 1, 1), (0, 1, 0), (50, 0, 0)]
        #expect(play(steps) == [.reset, .started(.download)])
    }

    @Test func unixTightReset() {
        let steps: [(Int64, Int, Int)] = [(0, 0, 0), (0, 1, 1), (0, 0, 1), (100, 1, 0), (50, 0, 0)]
        #expect(play(steps) == [.reset, .started(.download)])
    }

    @Test(arguments: [60, 100, 150, 200, 249] as [Int64])
    func classicResetOverRFC2217(perChange: Int64) {
        let steps: [(Int64, Int, Int)] = [
            (perChange, 0, 0), (perChange, 0, 1), (100 + perChange, 1, 1), (perChange, 1, 0), (50 + perChange, 0, 0),
        ]
        #expect(play(steps) == [.reset, .started(.download)])
    }

    @Test(arguments: [0, 60, 150] as [Int64])
    func hardReset(perChange: Int64) {
        #expect(play([(perChange, 0, 0), (perChange, 0, 1), (100 + perChange, 0, 0)]) == [.reset, .started(.flash)])
    }

    @Test func openingATerminalDoesNotReset() {
        #expect(play([(0, 1, 1), (500, 0, 0), (10, 1, 0), (10, 1, 1)]).isEmpty)
    }

    @Test func bothLinesAssertedPermanentlyStartTheApplication() {
        #expect(play([(0, 0, 1), (100, 1, 1)]) == [.reset, .started(.flash)])
    }

    @Test func theLinesPullIO0WithDTRAlone() {
        var circuit = ResetCircuit()
        circuit.powerOn(at: .zero)
        var pulled: [Bool] = []
        for (dtr, rts) in [(false, false), (true, false), (true, true), (false, true)] {
            circuit.setModemLines(ModemLines(dtr: dtr, rts: rts), at: .zero)
            pulled.append(circuit.linesPullIO0)
        }
        #expect(pulled == [false, true, false, false])
    }

    @Test(arguments: [(false, false), (true, false), (true, true), (false, true)])
    func theResetButtonDoesNotChangeTheLines(dtr: Bool, rts: Bool) {
        var circuit = ResetCircuit()
        circuit.powerOn(at: .zero)
        circuit.advance(to: .zero.advanced(by: .seconds(1)))
        let now = MonotonicInstant.zero.advanced(by: .seconds(2))
        circuit.setModemLines(ModemLines(dtr: dtr, rts: rts), at: now)
        _ = circuit.drainEvents()
        circuit.pressReset(at: now)
        circuit.advance(to: now.advanced(by: ResetCircuit.riseTime))
        let holdsEnable = rts && !dtr
        #expect(
            circuit.drainEvents()
                == (holdsEnable ? [] : [.reset, .started(dtr && !rts ? .download : .flash)]))
    }

    @Test func powerOnWithIO0LowSelectsDownloadMode() {
        var circuit = ResetCircuit()
        circuit.setModemLines(ModemLines(dtr: true, rts: false), at: .zero)
        circuit.powerOn(at: .zero)
        #expect(circuit.nextDeadline == .zero.advanced(by: ResetCircuit.riseTime))
        circuit.advance(to: .zero.advanced(by: ResetCircuit.riseTime))
        #expect(circuit.drainEvents() == [.started(.download)])
        circuit.powerOff()
        #expect(circuit.drainEvents() == [.reset])
    }
}
