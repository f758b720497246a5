import ArgumentParser

/// Controllers to offer on one TCP port: `PORT`, `PORT:KIND` or `PORT:KIND:ADDRESS`.
package struct H4Offer {
    let port: UInt16
    let controller: ControllerChoice

    package init(_ text: String) throws {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let port = UInt16(parts[0]) else {
            throw ValidationError("Expected a TCP port from 0 to 65535, got '\(parts[0])'.")
        }
        self.port = port
        controller = try ControllerChoice(parts.count > 1 ? parts[1] : "")
    }
}
