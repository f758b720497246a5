import FirmwareBuild
import Foundation
import Testing

@Suite final class SealingKeyTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "espbench-key-\(UUID().uuidString)")

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func temporaryPath() -> String { folder.appending(path: "\(UUID().uuidString)/sub/key").path }

    @Test func theKeyIsCreatedOnceAndPrivate() throws {
        let path = temporaryPath()
        _ = try SealingKey.load(path: path)
        let key = try Data(contentsOf: URL(filePath: path))
        #expect(key.count == 32)
        _ = try SealingKey.load(path: path)
        #expect(try Data(contentsOf: URL(filePath: path)) == key)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        let other = temporaryPath()
        _ = try SealingKey.load(path: other)
        #expect(try Data(contentsOf: URL(filePath: other)) != key)
    }

    /// They have the bytes of a key.
    @Test func filesOfKilledRunsAreRemoved() throws {
        let path = temporaryPath()
        _ = try SealingKey.load(path: path)
        let ended = Process()
        ended.executableURL = URL(filePath: "/bin/sh")
        ended.arguments = ["-c", ":"]
        try ended.run()
        ended.waitUntilExit()
        let running = "\(path).\(getpid())"
        let left = "\(path).\(ended.processIdentifier)"
        for path in [left, running, path + ".old"] {
            #expect(FileManager.default.createFile(atPath: path, contents: Data(count: 32)))
        }
        _ = try SealingKey.load(path: path)
        let folder = URL(filePath: path).deletingLastPathComponent().path
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(Set(names) == ["key", "key.\(getpid())", "key.old"])
    }

    @Test func aKeyReadableByOthersIsRefused() throws {
        let path = temporaryPath()
        _ = try SealingKey.load(path: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let error = try #require(throws: FirmwareBuildError.self) { try SealingKey.load(path: path) }
        #expect(error.detail.hasSuffix("is open to others: expected permissions 600, got 644"))
    }

    @Test func aKeyOfEqualBytesIsRefused() throws {
        let path = temporaryPath()
        _ = try SealingKey.load(path: path)
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.write(contentsOf: Data(count: 32))
        let error = try #require(throws: FirmwareBuildError.self) { try SealingKey.load(path: path) }
        #expect(error.detail.hasSuffix("is damaged: expected random bytes, got 32 equal ones: remove it"))
    }

    @Test func aKeyInAFolderThatOthersMayWriteIsRefused() throws {
        let path = temporaryPath()
        _ = try SealingKey.load(path: path)
        let folder = URL(filePath: path).deletingLastPathComponent().path
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
        let error = try #require(throws: FirmwareBuildError.self) { try SealingKey.load(path: path) }
        #expect(error.detail.hasPrefix("others may write the folder of the key \(folder) (mode 777)"))
    }

    /// Only root can give a file away.
    @Test(.enabled(if: getuid() == 0)) func aKeyOfSomebodyElseIsRefused() throws {
        let path = temporaryPath()
        _ = try SealingKey.load(path: path)
        try FileManager.default.setAttributes([.ownerAccountID: 65534], ofItemAtPath: path)
        let error = try #require(throws: FirmwareBuildError.self) { try SealingKey.load(path: path) }
        #expect(error.detail.hasSuffix("belongs to user 65534: expected user 0 as the owner"))
    }

    @Test func withoutAHomeThereIsNoFolder() throws {
        #expect(try UserFolders(["HOME": "/home/a"]).builds == "/home/a/.cache/espbench/builds")
        // The account's; an account without one is an error.
        if let home = getpwuid(getuid())?.pointee.pw_dir.map({ String(cString: $0) }), home.hasPrefix("/") {
            #expect(try UserFolders(["HOME": "relative"]).cache == home + "/.cache/espbench")
        } else {
            #expect(throws: FirmwareBuildError.self) { try UserFolders([:]) }
        }
    }

    @Test func aDamagedKeyIsRefused() throws {
        let path = temporaryPath()
        _ = try SealingKey.load(path: path)
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.truncate(atOffset: 5)
        let error = try #require(throws: FirmwareBuildError.self) { try SealingKey.load(path: path) }
        #expect(error.detail.hasSuffix("is damaged: expected 32 bytes, got 5: remove it"))
    }
}
