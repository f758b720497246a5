import Foundation
import PrivateFile
import Testing

/// Files of this user alone.
@Suite struct PrivateFileTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "espbench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path)
    }

    private func mode(_ path: String) throws -> Int? {
        (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
    }

    @Test func itIsPrivateAndReplacedAsAWhole() throws {
        try withFolder { folder in
            let file = PrivateFile(path: folder + "/state")
            #expect(try file.read() == nil)
            try file.replace([1, 2, 3])
            try file.replace([4])
            #expect(try file.read() == [4])
            #expect(try mode(file.path) == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["state"])
        }
    }

    /// More entries than one read of the folder returns, the last of which end where its buffer ends. What is read
    /// beyond that is found by `swift test --sanitize=address`.
    @Test func theEntriesOfALargeFolderAreComplete() throws {
        try withFolder { folder in
            let names = (0..<3000).map {
                "\($0)".padding(toLength: 1 + $0 % 60, withPad: "é", startingAt: 0) + "-\($0)"
            }
            for name in names { try Data().write(to: URL(filePath: "\(folder)/\(name)")) }
            try FileManager.default.createDirectory(atPath: folder + "/.hidden", withIntermediateDirectories: false)
            let entries = try #require(FolderEntry.all(in: folder))
            #expect(entries.map(\.name).sorted() == (names + [".hidden"]).sorted())
            #expect(entries.filter { $0.type == Int32(DT_DIR) }.map(\.name) == [".hidden"])
            #expect(FolderEntry.all(in: folder + "/none") == nil)
        }
    }

    /// A process that was killed may have left one; one that is locked is written on another machine.
    @Test func newVersionsOfProcessesThatEndedAreRemoved() throws {
        try withFolder { folder in
            var numbers: [Int32] = []
            for _ in 0..<2 {
                let ended = Process()
                ended.executableURL = URL(filePath: "/bin/sh")
                ended.arguments = ["-c", ":"]
                try ended.run()
                ended.waitUntilExit()
                numbers.append(ended.processIdentifier)
            }
            let (left, locked, running) = (
                "state.\(numbers[0]).new", "state.\(numbers[1]).new", "state.\(getppid()).new"
            )
            for name in [left, locked, running] { try Data([1]).write(to: URL(filePath: folder + "/" + name)) }
            let lock = try PrivateFileLock(folder + "/" + locked)
            try PrivateFile(path: folder + "/state").replace([2])
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(Set(names) == ["state", locked, running])
            withExtendedLifetime(lock) {}
        }
    }

    /// What a crash in the middle of a replacement leaves is no version, and the next one takes its place.
    @Test func aPartOfANewVersionIsNone() throws {
        try withFolder { folder in
            let file = PrivateFile(path: folder + "/state", hasOneWriter: true)
            try file.replace([1, 2, 3])
            for count in 0..<3 {
                try Data([4, 5, 6].prefix(count)).write(to: URL(filePath: folder + "/state.new"))
                #expect(try file.read() == [1, 2, 3])
            }
            try file.replace([4, 5, 6])
            #expect(try file.read() == [4, 5, 6])
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["state"])
        }
    }

    @Test func longerThanAllowedIsRefused() throws {
        try withFolder { folder in
            let file = PrivateFile(path: folder + "/state", maximumSize: 10)
            try file.replace([UInt8](repeating: 1, count: 10))
            #expect(try file.read()?.count == 10)
            try file.replace([UInt8](repeating: 1, count: 5000))
            let error = #expect(throws: PrivateFileError.self) { try file.read() }
            #expect(error?.code == .tooLong)
            #expect(
                error?.description == "\(file.path): reading the file failed: expected at most 10 bytes, got more")
        }
    }

    /// What cannot be replaced stays as it was.
    @Test func aFailureLosesNothing() throws {
        try withFolder { folder in
            let path = folder + "/state"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            let error = #expect(throws: PrivateFileError.self) { try PrivateFile(path: path).replace([1]) }
            #expect(error?.action == "replacing")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["state"])
            try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: path)
            #expect(throws: PrivateFileError.self) { try PrivateFile(path: folder + "/link").read() }
        }
    }

    /// Nothing waits for the other end of a pipe.
    @Test func aPipeIsRefused() throws {
        try withFolder { folder in
            let path = folder + "/pipe"
            try #require(mkfifo(path, 0o600) == 0)
            let writer = open(path, O_RDWR | O_NONBLOCK)
            let reason = "expected a file, got a folder, a pipe or a device"
            let read = #expect(throws: PrivateFileError.self) { try PrivateFile(path: path).read() }
            #expect(read?.description == "\(path): opening the file failed: \(reason)")
            let lock = #expect(throws: PrivateFileError.self) { _ = try PrivateFileLock(path) }
            #expect(lock?.description == "\(path): locking the file failed: \(reason)")
            close(writer)
        }
    }

    @Test func aFolderOfOthersIsRefused() throws {
        try withFolder { folder in
            let path = folder + "/private"
            try PrivateFolder.make(path)
            try PrivateFolder.make(path)
            #expect(try mode(path) == 0o700)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
            let error = #expect(throws: PrivateFileError.self) { try PrivateFolder.make(path) }
            #expect(error?.code == .notPrivate && error?.reason.hasSuffix("with mode 755") == true)
            try PrivateFile(path: folder + "/file").replace([])
            #expect(throws: PrivateFileError.self) { try PrivateFolder.make(folder + "/file") }
            #expect(throws: PrivateFileError.self) { try PrivateFolder.make(folder + "/none/private") }
        }
    }

    @Test func aLockIsForOne() throws {
        try withFolder { folder in
            let path = folder + "/lock"
            var lock: PrivateFileLock? = try PrivateFileLock(path)
            let error = #expect(throws: PrivateFileError.self) { _ = try PrivateFileLock(path) }
            #expect(error?.code == .locked && error?.reason == "another part of this program has it")
            withExtendedLifetime(lock) {}
            lock = nil
            lock = try PrivateFileLock(path)
            #expect(try mode(path) == 0o600)
            withExtendedLifetime(lock) {}
        }
    }

    #if os(Linux)
        /// A copy of the descriptor, as a process has it that is just being started, does not keep the lock.
        @Test func aCopyOfTheDescriptorDoesNotKeepTheLock() throws {
            try withFolder { folder in
                let path = folder + "/lock"
                var lock: PrivateFileLock? = try PrivateFileLock(path)
                let all = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
                let own = try #require(
                    all.first {
                        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
                    })
                let copy = dup(own)
                defer { close(copy) }
                withExtendedLifetime(lock) {}
                lock = nil
                lock = try PrivateFileLock(path)
                withExtendedLifetime(lock) {}
            }
        }
    #endif
}
