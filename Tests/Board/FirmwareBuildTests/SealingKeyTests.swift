import FirmwareBuild
import Foundation
import Testing

@Suite struct SealingKeyTests {
    private func temporaryPath() -> String {
        FileManager.default.temporaryDirectory.appending(path: "espbench-key-\(UUID().uuidString)/sub/key").path
    }

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

    @Test func aKeyReadableByOthersIsRefused() throws {
        let path = temporaryPath()
        _ = try SealingKey.load(path: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let error = try #require(throws: FirmwareBuildError.self) { try SealingKey.load(path: path) }
        #expect(error.detail.hasSuffix("is open to others: expected permissions 600, got 644"))
    }

    @Test func aDamagedKeyIsRefused() throws {
        let path = temporaryPath()
        _ = try SealingKey.load(path: path)
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.truncate(atOffset: 5)
        let error = try #require(throws: FirmwareBuildError.self) { try SealingKey.load(path: path) }
        #expect(error.detail.hasSuffix("is damaged: expected 32 bytes, got 5"))
    }
}
