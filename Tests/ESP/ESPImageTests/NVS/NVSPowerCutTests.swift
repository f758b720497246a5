import ESPImage
import MonotonicTime
import Testing

/// A power loss at every flash operation, and again at every operation of the following mount.
@Suite struct NVSPowerCutTests {
    /// Mounts `flash`, and fails the test if anything is left to repair.
    private func contents(of flash: SimulatedFlash, _ place: String) throws -> NVSModel {
        let storage = try NVSStorage(mounting: flash.poweredUp())
        let again = try NVSStorage(mounting: storage.flash.poweredUp())
        #expect(again.flash.operations == 0, "the second mount writes: \(place)")
        #expect(again.statistics == storage.statistics, "\(place)")
        let model = try NVSModel(storage)
        #expect(try NVSModel(again) == model, "\(place)")
        // No orphaned entry is left.
        var emptied = again
        for name in Set(model.values.keys.map(\.namespace)) {
            try emptied.eraseAll(in: try emptied.openNamespace(name, readOnly: false))
        }
        #expect(emptied.statistics.usedEntries == emptied.statistics.namespaceCount, "\(place)")
        return model
    }

    @Test(arguments: zip(SimulatedFlash.Tear.allCases, [3, 4, 3, 4]))
    func aPowerLossAtAnyOperationLeavesTheOldOrTheNewValue(tear: SimulatedFlash.Tear, pages: Int) throws {
        var random = SeededRandom(seed: UInt64(pages))
        var storage = try NVSStorage(mounting: SimulatedFlash(pages: pages))
        var model = try NVSModel(storage)
        var cuts = 0
        var refusals = 0
        for step in 0..<90 {
            let change = NVSModel.randomChange(&random)
            let start = storage.flash.poweredUp()
            var operation = 0
            var isDone = false
            while !isDone {
                let place = "step \(step), \(change), operation \(operation), \(tear)"
                let left = start.poweredUp(cutAfter: operation, tear)
                var attempt = try NVSStorage(mounting: left)
                do throws(NVSError) {
                    try NVSModel.apply(change, to: &attempt)
                    isDone = true
                } catch {
                    isDone = error.code != .flashOperationFailed
                }
                if isDone { break }
                cuts += 1
                let result = try contents(of: left, place)
                #expect(model.mayBecome(result, by: change), "\(place)")
                // Another power loss during the repair.
                for repair in 0... {
                    let torn = left.poweredUp(cutAfter: repair, tear)
                    if (try? NVSStorage(mounting: torn)) != nil { break }
                    #expect(
                        model.mayBecome(try contents(of: torn, place), by: change), "\(place), repair \(repair)")
                }
                operation += 1
            }
            do throws(NVSError) {
                try NVSModel.apply(change, to: &storage)
                model.apply(change)
            } catch {
                let isExpected = error.code == .notFound || error.code == .notEnoughSpace
                #expect(isExpected, "step \(step), \(change): \(error)")
                refusals += error.code == .notEnoughSpace ? 1 : 0
            }
            #expect(try NVSModel(storage) == model, "step \(step), \(change)")
        }
        #expect(cuts > 500)
        #expect(refusals > 0)
    }
}
