import BLECentral
import BLECentralHCI
import BLECore
import BLEPackets
import MonotonicTime
import BenchExecutor
import Testing

/// Scanning against a scripted controller.
@Suite struct ScanningTests {
    private func advertisementReport(_ data: String, kind: String = "00", rssi: String = "c4") -> String {
        let report = kind + "01" + "060504030201" + String(data.count / 2 + 256, radix: 16).suffix(2) + data + rssi
        return "043e" + String(report.count / 2 + 2 + 256, radix: 16).suffix(2) + "0201" + report
    }

    @Test func aScanResponseIsMergedIntoItsAdvertisement() throws {
        let bench = ScriptedBench()
        try bench.run {
            try await bench.central.startScanning(ScanFilter(services: [BLEUUID(0x180F)], name: "Lamp"))
            for _ in 0..<3 {
                bench.transport.deliver(advertisementReport("02010603030f18"))
                bench.transport.deliver(advertisementReport("05094c616d70", kind: "04", rssi: "c5"))
                try await bench.sleep(.milliseconds(30))
            }
            try await bench.central.stopScanning()
        }
        guard case .advertisement(let advertisement) = bench.events.all.first else {
            Issue.record("expected an advertisement, got \(bench.events.all)")
            return
        }
        #expect(bench.events.all.count == 1)
        #expect(advertisement.data.localName == "Lamp")
        #expect(advertisement.data.serviceUUIDs == [BLEUUID(0x180F)])
        #expect(advertisement.rssi == -59)
        #expect(advertisement.isConnectable)
        #expect("\(advertisement.peer)" == "01:02:03:04:05:06")
        #expect(advertisement.address == advertisement.peer.address && advertisement.address != nil)
    }

    @Test func anAdvertisementWithoutScanResponseIsReportedAfterTenMilliseconds() throws {
        let bench = ScriptedBench()
        let seen = try bench.run {
            try await bench.central.startScanning(ScanFilter())
            bench.transport.deliver(advertisementReport("020106"))
            try await bench.sleep(.milliseconds(9))
            let early = bench.events.all.count
            try await bench.sleep(.milliseconds(2))
            return [early, bench.events.all.count]
        }
        #expect(seen == [0, 1])
    }

    @Test func duplicatesAreReportedOnRequestAndChangesAlways() throws {
        for (allowsDuplicates, expected) in [(true, 4), (false, 2)] {
            let bench = ScriptedBench()
            try bench.run {
                try await bench.central.startScanning(
                    ScanFilter(isActive: false, allowsDuplicates: allowsDuplicates))
                for data in ["020106", "020106", "020105", "020105"] {
                    bench.transport.deliver(advertisementReport(data))
                }
                try await bench.sleep(.milliseconds(1))
            }
            #expect(bench.events.all.count == expected)
        }
    }

    @Test func theFilterDropsWeakAndMalformedAdvertisements() throws {
        let bench = ScriptedBench()
        try bench.run {
            try await bench.central.startScanning(ScanFilter(minimumRSSI: -60, isActive: false))
            bench.transport.deliver(advertisementReport("020106", rssi: "c3"))
            bench.transport.deliver(advertisementReport("ff0106", rssi: "c4"))
            try await bench.sleep(.milliseconds(1))
        }
        guard case .advertisement(let advertisement) = bench.events.all.first, bench.events.all.count == 1 else {
            Issue.record("expected one advertisement, got \(bench.events.all)")
            return
        }
        #expect(advertisement.rssi == -60 && advertisement.data.structures.isEmpty)
    }

    @Test func aRefusedScanIsAnError() throws {
        let bench = ScriptedBench { $0.refused = [.leSetScanEnable: 0x0C] }
        let error = try bench.run {
            let error = await failure { try await bench.central.startScanning(ScanFilter()) }
            // There is nothing to stop, and nothing to wait for.
            try await bench.central.stopScanning()
            return error
        }
        #expect(error?.code == .controller(status: 0x0C))
    }
}
