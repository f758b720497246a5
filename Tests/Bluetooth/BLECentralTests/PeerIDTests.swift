import BLECentral
import BLECore
import Foundation
import Testing

@Suite("Names of peers") struct PeerIDTests {
    private static let address = DeviceAddress(0x240A_C400_0110, .public)

    @Test("are an address with its type, or the stack's identifier")
    func names() {
        let peer = PeerID(Self.address)
        #expect(peer == PeerID(Self.address) && peer.address == Self.address && "\(peer)" == "24:0A:C4:00:01:10")
        #expect(peer != PeerID(DeviceAddress(0x240A_C400_0110, .random)) && peer != PeerID(opaque: "\(peer)"))
        #expect(PeerID(opaque: "dev_1").address == nil && "\(PeerID(opaque: "dev_1"))" == "dev_1")
    }

    @Test("are decoded as they are encoded")
    func coding() throws {
        let peers = [
            PeerID(Self.address), PeerID(DeviceAddress(7, .random)), PeerID(opaque: "public 1"), PeerID(opaque: ""),
        ]
        let data = try JSONEncoder().encode(peers)
        #expect(
            String(decoding: data, as: UTF8.self)
                == #"["public 24:0A:C4:00:01:10","random 00:00:00:00:00:07","opaque public 1","opaque "]"#)
        #expect(try JSONDecoder().decode([PeerID].self, from: data) == peers)
        for text in ["", "public", "public 24:0A", "static 24:0A:C4:00:01:10", "24:0A:C4:00:01:10"] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode([PeerID].self, from: Data("[\"\(text)\"]".utf8))
            }
        }
    }
}
