import BenchModel
internal import BenchReports
import Foundation
internal import LogFiles
internal import PrivateFile
import Synchronization

/// A report, or another file, that is complete when it appears: a temporary file beside it is written first and moved
/// at the end.
///
/// A failed write does not end the command: the failure is reported at once, and again at the end. Reports may be for
/// other users, so their permissions follow the umask.
package final class ReportFile: ReportSink {
    private struct State {
        var buffer: [UInt8] = []
        /// The number of written bytes.
        var written = 0
        var fault: SystemFault?
    }

    private static let bufferSize = 1 << 16

    /// The option and the path, as given on the command line.
    private let name: String
    private let output: Output
    /// The file, with symbolic links resolved.
    private let path: String
    /// The path of the temporary file beside it; `nil`: the target is not a regular file and is written at the end.
    private let temporaryPath: String?
    /// True if the temporary file has no name, so that nothing remains if the program is killed.
    private let isUnnamed: Bool
    private let descriptor: Int32
    /// The target, if it is not a regular file.
    private let target: Int32?
    private let keepsFormer: Bool
    private let state = Mutex(State())

    /// Writes a file atomically: it has all `bytes`, or its former content. Links are followed; a device or pipe is
    /// written directly.
    ///
    /// - Throws: ``CommandFailure``.
    package static func write(_ bytes: [UInt8], to path: String, option: String, _ output: Output)
        throws(CommandFailure)
    {
        let file = try ReportFile(path, option: option, keepsFormer: true, output)
        file.append(bytes)
        try file.finish()
    }

    /// Prepares the report at `path`. `option` names the file in errors, which go to `output`.
    ///
    /// - Parameter keepsFormer: whether an existing file stays until the end and keeps its permissions. Otherwise it is
    ///   removed, since a report of an earlier run would be mistaken for this one.
    /// - Throws: ``CommandFailure`` when the report cannot be written there.
    package init(
        _ path: String, option: String, keepsFormer: Bool = false, _ output: Output
    ) throws(CommandFailure) {
        name = "\(option) \(path)"
        self.output = output
        self.keepsFormer = keepsFormer
        let resolved = realpath(path, nil)
        defer { free(resolved) }
        let file = resolved.map { String(cString: $0) } ?? path
        self.path = file
        var information = stat()
        if resolved != nil, stat(file, &information) == 0, information.st_mode & S_IFMT != S_IFREG {
            target = WritableFile.open(file, 0)
            guard let target, target >= 0 else { throw OutputFile.notCreated(name, path) }
            temporaryPath = nil
            isUnnamed = true
            var template = Array("\(FileManager.default.temporaryDirectory.path)/espbench-XXXXXX".utf8CString)
            descriptor = mkstemp(&template)
            guard descriptor >= 0 else { throw OutputFile.notCreated(name, path) }
            unlink(template)
            return
        }
        target = nil
        guard resolved == nil || access(file, W_OK) == 0 else { throw OutputFile.notCreated(name, path) }
        let url = URL(filePath: file)
        let folder = url.deletingLastPathComponent()
        LeftoverFiles.remove(in: folder.path, prefix: ".\(url.lastPathComponent).", suffix: ".tmp")
        let beside = folder.appending(path: ".\(url.lastPathComponent).\(getpid()).tmp").path
        unlink(beside)
        temporaryPath = beside
        let unnamed = path.isEmpty ? -1 : Self.openUnnamed(in: folder.path)
        isUnnamed = unnamed >= 0
        descriptor =
            isUnnamed || path.isEmpty ? unnamed : open(beside, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw OutputFile.notCreated(name, path) }
        LeftoverFiles.lock(descriptor)
        if !keepsFormer {
            unlink(file)
        } else if resolved != nil {
            fchmod(descriptor, information.st_mode & 0o777)
        }
    }

    /// A new file without a name, which ``publish()`` adds; negative if the system or the file system does not support
    /// this.
    private static func openUnnamed(in folder: String) -> Int32 {
        #if canImport(Glibc)
            // O_TMPFILE, a macro that Swift does not import.
            let unnamed = 0o20000000 | O_DIRECTORY
            return access("/proc/self/fd", X_OK) == 0 ? open(folder, unnamed | O_RDWR | O_CLOEXEC, 0o666) : -1
        #else
            return -1
        #endif
    }

    deinit {
        if let temporaryPath, !isUnnamed { unlink(temporaryPath) }
        if let target { close(target) }
        close(descriptor)
    }

    package func append(_ bytes: [UInt8]) {
        let fault = state.withLock { state -> SystemFault? in
            state.buffer += bytes
            return state.buffer.count < Self.bufferSize ? nil : flush(&state)
        }
        report(fault)
    }

    package func replace(_ bytes: [UInt8], at offset: Int) {
        let fault = state.withLock { state -> SystemFault? in
            if let fault = flush(&state) { return fault }
            guard state.fault == nil else { return nil }
            lseek(descriptor, off_t(offset), SEEK_SET)
            let failed = SystemFault.writing(bytes, to: descriptor)
            lseek(descriptor, 0, SEEK_END)
            state.fault = failed?.fault
            return state.fault
        }
        report(fault)
    }

    /// Moves the report to its place.
    ///
    /// - Throws: ``CommandFailure`` when a write failed; then there is no report.
    package func finish() throws(CommandFailure) {
        let fault = state.withLock { state -> SystemFault? in
            _ = flush(&state)
            if state.fault == nil { state.fault = publish() }
            return state.fault
        }
        if let fault {
            throw CommandFailure(
                .benchFault, "\(name) could not be written: \(fault)",
                code: keepsFormer ? "file.notWritten" : "report.notWritten")
        }
    }

    private func publish() -> SystemFault? {
        if let temporaryPath {
            if isUnnamed {
                // A link cannot replace a file, so a temporary name beside it is needed for an instant.
                let own = "/proc/self/fd/\(descriptor)"
                if linkat(AT_FDCWD, own, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 { return nil }
                guard errno == EEXIST, linkat(AT_FDCWD, own, AT_FDCWD, temporaryPath, AT_SYMLINK_FOLLOW) == 0 else {
                    return .last
                }
            }
            if rename(temporaryPath, path) == 0 { return nil }
            let fault = SystemFault.last
            unlink(temporaryPath)
            return fault
        }
        guard let target else { return nil }
        lseek(descriptor, 0, SEEK_SET)
        var bytes = [UInt8](repeating: 0, count: Self.bufferSize)
        while true {
            let count = read(descriptor, &bytes, bytes.count)
            guard count > 0 else { return count == 0 ? nil : .last }
            if let failed = SystemFault.writing(Array(bytes[..<count]), to: target) { return failed.fault }
        }
    }

    /// Writes the buffer; returns the fault if it is the first.
    private func flush(_ state: inout State) -> SystemFault? {
        defer { state.buffer.removeAll(keepingCapacity: true) }
        guard state.fault == nil, let failed = SystemFault.writing(state.buffer, to: descriptor) else { return nil }
        state.fault = failed.fault
        return failed.fault
    }

    private func report(_ fault: SystemFault?) {
        if let fault { output.note("error: \(name) could not be written: \(fault)") }
    }
}
