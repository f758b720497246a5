internal import BLECentral
import BLECentralHCI
import FirmwareBuild
internal import LogFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where espbench's own host keeps the keys of bonded peers.
enum BondPlace {
    /// The store at `path`, or in the folder of the user's state. `output` is told of an empty file, which is replaced.
    ///
    /// - Throws: ``CommandFailure`` when the folder cannot be created, or others may use the file.
    static func store(_ path: String?, _ environment: Environment, _ output: Output) throws(CommandFailure) -> BondFile
    {
        let place: String
        if let path {
            try PrivateInput.check(path, option: "--bonds")
            try checkFolder(of: path)
            place = path
        } else {
            do throws(FirmwareBuildError) {
                let folder = try environment.stateFolder
                try FileTree.makeFolder(folder)
                place = folder + "/bonds"
            } catch {
                throw CommandFailure(.benchFault, error.detail, code: "central.storage")
            }
        }
        PrivateInput.noteIfEmpty(place, with: "bonds", output)
        return BondFile(path: place)
    }

    /// Checks that keys can be stored at `path`: after a pairing it is too late.
    private static func checkFolder(of path: String) throws(CommandFailure) {
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        guard access(folder, W_OK | X_OK) == 0 else { throw OutputFile.notCreated("--bonds \(path)", path) }
        guard !FileTree.isFolder(path) else {
            throw OutputFile.notCreated("--bonds \(path)", path, SystemFault(EISDIR))
        }
    }
}
