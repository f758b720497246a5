internal import BLECentral
import BLECentralHCI
import FirmwareBuild

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
}
