internal import BLECentral
import BLECentralHCI
import FirmwareBuild

/// Where espbench's own host keeps the keys of bonded peers.
enum BondPlace {
    /// The store at `path`, or in the folder of the user's state.
    ///
    /// - Throws: ``CommandFailure`` when the folder cannot be created, or others may use the file.
    static func store(_ path: String?, _ environment: Environment) throws(CommandFailure) -> BondFile {
        if let path {
            try PrivateInput.check(path, option: "--bonds")
            return BondFile(path: path)
        }
        do throws(FirmwareBuildError) {
            let folder = try environment.stateFolder
            try FileTree.makeFolder(folder)
            return BondFile(path: folder + "/bonds")
        } catch {
            throw CommandFailure(.benchFault, error.detail, code: "central.storage")
        }
    }
}
