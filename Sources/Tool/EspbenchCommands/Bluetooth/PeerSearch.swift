package import BLECentral
internal import BLECore
import BenchModel

/// Waits for a peer among advertisements. A pure state machine.
package struct PeerSearch {
    private let peer: PeerSelector
    private var found: Advertisement?
    private var heard: [PeerID: Advertisement] = [:]

    /// A search for `peer`.
    package init(_ peer: PeerSelector) {
        self.peer = peer
    }

    /// Handles an advertisement; returns whether the search is over.
    package mutating func receive(_ advertisement: Advertisement) -> Bool {
        heard[advertisement.peer] = advertisement
        if peer.matches(advertisement) { found = advertisement }
        return found?.isConnectable == true
    }

    /// The peer.
    ///
    /// - Throws: ``CommandFailure`` with exit code `noPeer`, when it was not heard or accepts no connections.
    package func result(after time: Duration) throws(CommandFailure) -> Advertisement {
        guard let found else {
            throw CommandFailure(
                .noPeer, "no peer \(peer) was heard within \(time.brief)\(suggestion)\(others)", code: "central.noPeer")
        }
        guard found.isConnectable else {
            throw CommandFailure(
                .noPeer, "the peer \(peer) advertises, and accepts no connections", code: "central.notConnectable")
        }
        return found
    }

    private var suggestion: String {
        guard case .name(let name) = peer else { return "" }
        return Suggestion.text(for: name, in: heard.values.compactMap(\.data.localName).sorted())
    }

    /// The others, by their names where they have some.
    private var others: String {
        guard !heard.isEmpty else { return "; nothing else was, either" }
        let names = heard.values.map { $0.data.localName.map { "'\($0.printable)'" } ?? "\($0.peer)" }.sorted()
        let more = names.count > 5 ? " and \(names.count - 5) more" : ""
        return "; heard: \(names.prefix(5).joined(separator: ", "))\(more)"
    }
}
