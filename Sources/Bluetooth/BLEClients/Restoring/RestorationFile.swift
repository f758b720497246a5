import PrivateFile

/// The file of what a central keeps, which is this central's as long as it lives.
package struct RestorationFile: Sendable {
    /// All that a central may keep is less.
    private static let maximumSize = 16 << 20

    private let file: PrivateFile
    private let lock: PrivateFileLock

    var path: String { file.path }

    /// The file of an identifier in a folder that only this user may use; makes the folder if it does not exist.
    ///
    /// - Throws: `invalidIdentifier`, `inUse`, `storage`.
    package init(_ identifier: String, in folder: String) throws(RestorationError) {
        let allowed = identifier.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
        guard allowed, (1...64).contains(identifier.utf8.count) else {
            throw RestorationError(
                .invalidIdentifier,
                "identifier of a central: expected 1...64 of A-Z, a-z, 0-9, '-' and '_', got \"\(identifier)\"")
        }
        do throws(PrivateFileError) {
            try PrivateFolder.make(folder)
            file = PrivateFile(
                path: "\(folder)/\(identifier).central", maximumSize: Self.maximumSize, hasOneWriter: true)
            lock = try PrivateFileLock("\(folder)/\(identifier).lock")
        } catch {
            guard error.code == .locked else { throw RestorationError(error) }
            throw RestorationError(
                .inUse, "the central \"\(identifier)\" in \(folder): expected nobody to use it, \(error.reason)")
        }
    }

    func load() throws(RestorationError) -> [RestorablePeripheral] {
        let bytes: [UInt8]?
        do throws(PrivateFileError) {
            bytes = try file.read()
        } catch {
            throw RestorationError(error)
        }
        guard let bytes else { return [] }
        return try RestorationText.peripherals(in: bytes, path: path)
    }

    package func save(_ peripherals: [RestorablePeripheral]) throws(RestorationError) {
        do throws(PrivateFileError) {
            try file.replace(RestorationText.bytes(of: peripherals))
        } catch {
            throw RestorationError(error)
        }
    }
}
