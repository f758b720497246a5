import BLEClients
import Testing

/// What a lock's user sees.
@Suite struct LockModelTests {
    private func connected(_ bolt: String = "locked") -> LockModel {
        var model = LockModel()
        model.setLink(.connected)
        model.receive(bolt: Array(bolt.utf8))
        return model
    }

    @Test func commandsAreThoseOfTheOriginal() {
        var model = connected()
        #expect(model.begin(.unlock) == [0x31])
        model.receive(bolt: Array("moving".utf8))
        #expect(model.isBusy && model.bolt == .moving)
        model.receive(state: [0x31])
        #expect(model.outcome == .done(.unlock) && model.bolt == .unlocked)
        #expect(model.begin(.lock) == [0x30])
    }

    @Test func buttonsAreEnabledByTheState() {
        var model = LockModel()
        #expect(!model.allows(.lock) && !model.allows(.unlock))
        #expect(model.begin(.unlock) == nil)
        model = connected("locked")
        #expect(!model.allows(.lock) && model.allows(.unlock) && model.opposite == .unlock)
        model = connected("unlocked")
        #expect(model.allows(.lock) && !model.allows(.unlock) && model.opposite == .lock)
        // Where it is is not told to strangers; then both are allowed.
        model = connected("")
        #expect(model.allows(.lock) && model.allows(.unlock))
        _ = model.begin(.unlock)
        #expect(!model.allows(.lock) && !model.allows(.unlock))
        #expect(model.begin(.lock) == nil)
    }

    @Test func whatMeansNothingIsIgnored() {
        var model = connected("locked")
        for value: [UInt8] in [[], [0x32], [0x30, 0x30], [0xFF]] { model.receive(state: value) }
        for value in ["open", "unknown", "LOCKED", ""] { model.receive(bolt: Array(value.utf8)) }
        model.receive(bolt: [0xFF, 0xFE])
        #expect(model.bolt == .locked)
        #expect(model.log.filter { $0.hasPrefix("an unknown state of ") }.count == 4)
    }

    @Test func aLostConnectionEndsTheCommand() {
        var model = connected()
        _ = model.begin(.unlock)
        model.setLink(.disconnected)
        #expect(model.outcome == .failed(.unlock, "the connection ended"))
        #expect(model.bolt == .unknown && model.status == "Disconnected")
        // What comes later changes nothing about it.
        model.fail("late")
        #expect(model.outcome == .failed(.unlock, "the connection ended"))
    }

    /// A lock ends the connection when a pairing fails: that is what is told.
    @Test func aConnectionThatEndsWithItsPairing() {
        var model = LockModel()
        model.setLink(.connected)
        _ = model.begin(.unlock)
        model.beginPairing()
        model.setLink(.disconnected)
        #expect(model.outcome == .failed(.unlock, "the pairing failed: the connection ended"))
        // That was that command's.
        model.setLink(.connected)
        _ = model.begin(.unlock)
        model.setLink(.disconnected)
        #expect(model.outcome == .failed(.unlock, "the connection ended"))
        // One that has succeeded is none.
        model.setLink(.connected)
        _ = model.begin(.unlock)
        model.beginPairing()
        model.endPairing()
        model.setLink(.disconnected)
        #expect(model.outcome == .failed(.unlock, "the connection ended"))
    }

    @Test func theLogIsBounded() {
        var model = LockModel()
        for number in 0..<1000 { model.note("\(number)") }
        #expect(model.log.count == LockModel.logLimit)
        #expect(model.log.first == "500" && model.log.last == "999")
    }

    @Test func theLogTellsWhatHappened() {
        var model = connected()
        _ = model.begin(.unlock)
        model.receive(bolt: Array("moving".utf8))
        model.receive(state: [0x31])
        model.receive(state: [0x31])
        model.setLink(.disconnected)
        #expect(model.log == ["Connected.", "locked", "unlock", "moving", "unlocked", "Disconnected"])
    }
}
