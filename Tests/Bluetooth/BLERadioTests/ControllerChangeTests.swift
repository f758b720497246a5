import BLECore
import BLERadio
import BenchExecutor
import Synchronization
import Testing

/// What a radio reports of its controllers.
@Suite struct ControllerChangeTests {
    @Test func controllersThatComeAndGoAreReportedOnce() throws {
        let executor = BenchExecutor()
        let seen = Mutex<[String]>([])
        try executor.run {
            let radio = Radio(executor, seed: 1)
            let first = await radio.attach(address: AirBench.address(0))
            let gone = await radio.attach(address: AirBench.address(1))
            await radio.detach(gone)
            await radio.setControllerObserver { change in
                let what =
                    switch change.kind {
                    case .added(let address, let company): "\(address) \(company)"
                    case .removed: "removed"
                    }
                seen.withLock { $0.append("\(change.controller.rawValue) \(what)") }
            }
            _ = await radio.attach(address: AirBench.address(2), personality: .extended)
            await radio.detach(first)
            await radio.detach(first)
            await radio.setControllerObserver(nil)
            _ = await radio.attach(address: AirBench.address(3))
        }
        #expect(
            seen.withLock(\.self) == [
                "0 \(AirBench.address(0)) 96", "2 \(AirBench.address(2)) 741", "0 removed",
            ])
    }
}
