public import Console
import Crypto
import FoundationEssentials

/// The programs with debug information of cached builds, for backtraces of firmware that an earlier command has flashed.
public struct SymbolFiles: Sendable {
    private let folder: String

    /// The programs in the folder of cached builds.
    public init(cache: String) {
        folder = BuildFolders(cache: cache).programs
    }

    /// Finds the places of addresses in the program whose digest begins with `digest`, as the panic handler prints it
    /// ("ELF file SHA256: 6b3d0a911"); `nil` when no cached build made it, or it is shorter than 8 digits.
    public func resolver(digest: String) -> (any AddressResolver)? {
        let digest = digest.lowercased()
        guard digest.utf8.count >= 8 else { return nil }
        for name in ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() {
            let path = "\(folder)/\(name)/program"
            guard let program = try? FileTree.contents(of: path) else { continue }
            let hash = SHA256.hash(data: program).map { byte in
                (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }.joined()
            // Beside a program is the same one before its symbols were removed.
            if hash.hasPrefix(digest) { return Addr2line(program: path + ".elf") }
        }
        return nil
    }
}
