import FirmwareBuild
import FoundationEssentials
package import LogFiles
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file of records that a command writes while it runs.
///
/// A failed write does not end the command: the first failure is reported at once, later records are dropped, and the
/// file keeps the complete records before it.
package final class OutputFile: Sendable {
    private struct State {
        var size: off_t = 0
        var fault: SystemFault?
    }

    /// The option and the path, as given on the command line.
    private let name: String
    private let output: Output
    private let descriptor: Int32
    private let state = Mutex(State())

    /// Creates the file at `path`, or empties it. Only this user may read a new file: HCI packets contain keys of
    /// bonds, and consoles passkeys. `option` names the file in errors, which go to `output`.
    ///
    /// - Throws: ``CommandFailure`` when it cannot be created, or another espbench writes it.
    package init(_ path: String, option: String, _ output: Output) throws(CommandFailure) {
        let name = "\(option) \(path)"
        descriptor = WritableFile.open(path, O_CREAT, 0o600)
        guard descriptor >= 0 else { throw Self.notCreated(name, path) }
        self.name = name
        self.output = output
        var information = stat()
        guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw CommandFailure(
                .benchFault, "\(name) is being written by another espbench", code: "file.busy")
        }
        ftruncate(descriptor, 0)
    }

    /// The failure to create the file at `path`.
    package static func notCreated(_ name: String, _ path: String, _ fault: SystemFault = .last) -> CommandFailure {
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        var information = stat()
        let reason =
            if fault.number == ENOENT, !folder.isEmpty, !FileTree.isFolder(folder) {
                "there is no folder '\(folder)'"
            } else if fault.number == ENXIO, stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFIFO {
                "it is a pipe that no program reads"
            } else {
                "\(fault)"
            }
        return CommandFailure(.benchFault, "\(name) could not be created: \(reason)", code: "file.notCreated")
    }

    deinit {
        // Unlocked explicitly: a process that another thread is starting may have a copy of the descriptor, which would
        // keep the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Appends `bytes` to the file at `path`, which is created if missing.
    package static func append(_ bytes: [UInt8], to path: String) -> SystemFault? {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { return .last }
        defer { close(descriptor) }
        return SystemFault.writing(bytes, to: descriptor)?.fault
    }

    /// Appends whole records; does nothing after a fault.
    package func write(_ bytes: [UInt8]) {
        let fault = state.withLock { state -> SystemFault? in
            guard state.fault == nil else { return nil }
            guard let failed = SystemFault.writing(bytes, to: descriptor) else {
                state.size += off_t(bytes.count)
                return nil
            }
            // Remove the incomplete record, which readers could not parse.
            ftruncate(descriptor, state.size)
            state.fault = failed.fault
            return failed.fault
        }
        if let fault { output.note("error: \(name) could not be written: \(fault)") }
    }

    /// Closes the file, which the next run of the command may then write. After a failed write, reports that the file
    /// is incomplete.
    ///
    /// - Throws: ``CommandFailure`` when a write failed.
    package func finish() throws(CommandFailure) {
        flock(descriptor, LOCK_UN)
        if let fault = state.withLock({ $0.fault }) {
            throw CommandFailure(.benchFault, "\(name) is incomplete: \(fault)")
        }
    }
}

/// Files that a command creates for the user.
package enum NewFile {
    /// Throws when the folder of the file at `path` does not exist; called before work whose result would be lost.
    ///
    /// - Throws: ``CommandFailure``.
    package static func checkFolder(of path: String) throws(CommandFailure) {
        guard path != "-", path.contains("/") else { return }
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        guard folder.isEmpty || FileTree.isFolder(folder) else {
            throw CommandFailure(
                .benchFault, "\(path) could not be created: there is no folder '\(folder)'", code: "file.notCreated")
        }
    }

    /// Creates the file at `path`, and its folder; `shown` is its name in messages.
    ///
    /// - Throws: ``CommandFailure`` when the file already exists, or cannot be written; no new file remains then.
    package static func write(_ text: String, to path: String, shown: String) throws(CommandFailure) {
        do throws(FirmwareBuildError) {
            try FileTree.makeFolder(URL(filePath: path).deletingLastPathComponent().path)
        } catch {
            throw CommandFailure(.benchFault, error.detail)
        }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            throw CommandFailure(.benchFault, "\(shown) could not be created: \(SystemFault.last)")
        }
        var fault = SystemFault.writing(Array(text.utf8), to: descriptor)?.fault
        // Some file systems report a full disk only at this point.
        if close(descriptor) != 0, fault == nil { fault = .last }
        if let fault {
            unlink(path)
            throw CommandFailure(.benchFault, "\(shown) could not be written: \(fault)")
        }
    }
}

/// Files with secrets that the user names.
package enum PrivateInput {
    /// Checks that no other user may access the file at `path`, if it exists; pipes and devices are not checked.
    ///
    /// - Throws: ``CommandFailure`` when other users may access the file, or own it.
    package static func check(_ path: String, option: String) throws(CommandFailure) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw CommandFailure(
                .badInput,
                "\(option) \(path): expected a file of user \(geteuid()) with mode 600, got one of user \(status.st_uid) "
                    + "with mode \(mode)", code: "file.notPrivate")
        }
    }

    /// Notes that the file at `path` is empty, as after a full disk; it counts as missing.
    package static func noteIfEmpty(_ path: String, with content: String, _ output: Output) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 else { return }
        output.note("note: \(path) is empty, as a full disk leaves a file: it is replaced by one with \(content)")
    }
}

/// Files that a user names.
package enum InputFile {
    /// The bytes of the file at `path`.
    ///
    /// - Throws: ``CommandFailure`` with exit code `badInput`.
    package static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
        do throws(FirmwareBuildError) {
            return try FileTree.contents(of: path)
        } catch {
            throw CommandFailure(.badInput, error.detail, code: "file.unreadable")
        }
    }
}
