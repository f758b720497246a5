import FirmwareBuild
import LivePage
import SystemPackage
import func Foundation.unlink

/// The token of a page's address.
enum TokenFile {
    /// A new token, or that in the file at `path`, which is created for this user alone if it is missing.
    ///
    /// - Throws: ``CommandFailure`` when the file cannot be used, or others may use it.
    static func token(_ path: String?, _ output: Output) throws(CommandFailure) -> AccessToken {
        var generator = SystemRandomNumberGenerator()
        let new = AccessToken(using: &generator)
        guard let path else { return new }
        do {
            return try create(path, new)
        } catch Errno.fileExists {
            try PrivateInput.check(path, option: "--token-file")
            PrivateInput.noteIfEmpty(path, with: "a token", output)
            return try read(path, orReplaceWith: new)
        } catch {
            throw failure(path, "\(error)")
        }
    }

    private static func create(_ path: String, _ token: AccessToken) throws -> AccessToken {
        let file = try FileDescriptor.open(
            FilePath(path), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec], permissions: .ownerReadWrite
        )
        do {
            try file.closeAfter { _ = try file.writeAll("\(token)\n".utf8) }
        } catch {
            unlink(path)
            throw error
        }
        return token
    }

    /// The token in the file. One without a byte was left by a full disk: it gets the new one.
    private static func read(
        _ path: String, orReplaceWith new: AccessToken
    ) throws(CommandFailure) -> AccessToken {
        let bytes: [UInt8]
        do {
            bytes = try InputFile.read(path)
        } catch {
            throw failure(path, "\(error)")
        }
        guard !bytes.isEmpty else {
            do {
                let file = try FileDescriptor.open(FilePath(path), .writeOnly, options: .closeOnExec)
                try file.closeAfter { _ = try file.writeAll("\(new)\n".utf8) }
                return new
            } catch {
                throw failure(path, "\(error)")
            }
        }
        let text = String(decoding: bytes.prefix(256), as: UTF8.self)
        guard let token = AccessToken(text.trimmingNewline) else {
            throw failure(
                path,
                "expected a token of \(AccessToken.minimumLength) to 64 letters, digits, '-' and '_', got something else"
            )
        }
        return token
    }

    private static func failure(_ path: String, _ detail: String) -> CommandFailure {
        CommandFailure(.badInput, "the token's file \(path): \(detail)")
    }
}

extension String {
    fileprivate var trimmingNewline: String {
        String(drop { $0.isNewline || $0 == " " }.reversed().drop { $0.isNewline || $0 == " " }.reversed())
    }
}

/// A file that nobody else sees, and that is gone with the program.
enum TemporaryFile {
    /// Opens one on the file system of `folder`.
    ///
    /// - Throws: ``CommandFailure`` when it cannot be created.
    static func open(in folder: String) throws -> FileDescriptor {
        try FileTree.makeFolder(folder)
        var generator = SystemRandomNumberGenerator()
        let path = FilePath(folder).appending("live-\(String(generator.next() as UInt64, radix: 16)).timeline")
        let file = try FileDescriptor.open(
            path, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec], permissions: .ownerReadWrite)
        _ = path.withPlatformString { unlink($0) }
        return file
    }
}
