import BLECentral
import BLECore

extension Conformance {
    static let scanningCases = [
        Case("a scan reports the peers with a service, their names, addresses and signal strengths") { suite in
            try await suite.central.startScanning(ScanFilter(services: [ConformancePeer.service]))
            for (index, address) in ConformancePeer.addresses.enumerated() {
                try await suite.expect("an advertisement of \(address)") { event in
                    guard case .advertisement(let advertisement) = event else { return false }
                    return advertisement.peer == PeerID(address) && advertisement.isConnectable
                        && advertisement.data.localName == ConformancePeer.name(index)
                        && (-100 ... -20).contains(advertisement.rssi)
                }
            }
            try await suite.central.stopScanning()
        },
        Case("a scan does not report what its filter excludes") { suite in
            let before = suite.recorder.all.count
            try await suite.central.startScanning(
                ScanFilter(services: [ConformancePeer.service], name: ConformancePeer.name(1)))
            try await suite.expect("an advertisement of \(ConformancePeer.name(1))") { event in
                guard case .advertisement(let advertisement) = event else { return false }
                return advertisement.data.localName == ConformancePeer.name(1)
            }
            try await suite.central.stopScanning()
            let others = suite.recorder.all.dropFirst(before).filter { event in
                guard case .advertisement(let advertisement) = event else { return false }
                return advertisement.data.localName != ConformancePeer.name(1)
            }
            try suite.expect(others.isEmpty, "no other advertisement, got \(others)")
        },
        Case("stopping a scan that does not run does nothing") { suite in
            try await suite.central.stopScanning()
        },
    ]
}
