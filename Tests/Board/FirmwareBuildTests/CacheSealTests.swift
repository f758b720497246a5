import ESPImage
import FirmwareBuild
import Foundation
import Testing

/// The cache of builds is this user's: what others put in it is not used.
@Suite struct CacheSealTests {
    private let project: TrialProject

    init() throws {
        project = try TrialProject()
        try project.write("#include <cstdlib>\nvoid setup() { exit(7); }\n", "Lamp/Lamp.ino")
    }

    private var cache: String { project.folder + "/cache" }

    private func cached(_ end: String) throws -> [String] {
        let files = try FileManager.default.subpathsOfDirectory(atPath: cache).filter { $0.hasSuffix(end) }
        return try #require(files.isEmpty ? nil : files.map { "\(cache)/\($0)" })
    }

    @Test func aProgramThatSomebodyElsePutThereIsNotSealed() async throws {
        let built = try await project.build()
        #expect(try TrialProject.result(built) == 7)
        let image = built.layout.regions[2].bytes
        #expect(try await project.build().compiled.isCached)
        let foreign = try Data(contentsOf: URL(filePath: "/bin/true"))
        try foreign.write(to: URL(filePath: built.compiled.program))
        let again = try await project.build()
        #expect(!again.compiled.isCached && again.layout.regions[2].bytes == image)
        #expect(try TrialProject.result(again) == 7)
    }

    @Test(
        "compiles anew what was replaced", arguments: ["/object.o", "Main.cpp.o", "Arduino.h.gch", "include/Arduino.h"])
    func replacedParts(_ end: String) async throws {
        _ = try await project.build()
        let isHeader = end.hasSuffix(".h")
        for file in try cached(isHeader ? "headers/Arduino.h" : end) {
            try Data((isHeader ? "#error foreign\n" : "foreign").utf8).write(to: URL(filePath: file))
        }
        try FileManager.default.removeItem(atPath: cache + "/programs")
        #expect(try TrialProject.result(await project.build()) == 7)
    }

    /// A code belongs to its place: it does not vouch for the same bytes elsewhere.
    @Test func aProgramOfAnotherSketchIsNotUsedWithItsCode() async throws {
        try project.write("#include <cstdlib>\nvoid setup() { exit(5); }\n", "Other/Other.ino")
        let other = try await project.build("Other").compiled.program
        let program = try await project.build().compiled.program
        for end in ["", ".mac"] {
            try FileManager.default.removeItem(atPath: program + end)
            try FileManager.default.copyItem(atPath: other + end, toPath: program + end)
        }
        #expect(try TrialProject.result(await project.build()) == 7)
    }

    @Test func recordsAndProgramsOfAnotherKeyAreNotUsed() async throws {
        _ = try await project.build()
        try FileManager.default.removeItem(atPath: project.folder + "/key")
        #expect(!(try await project.build().compiled.isCached))
    }

    @Test func aCacheThatOthersMayWriteIsRefused() async throws {
        _ = try await project.build()
        #expect(try FileManager.default.attributesOfItem(atPath: cache)[.posixPermissions] as? Int == 0o700)
        try FileManager.default.setAttributes([.posixPermissions: 0o770], ofItemAtPath: cache)
        let error = try #require(try await project.failure())
        #expect(error.detail.hasPrefix("others may write the cache of builds cache (mode 770): remove it"), "\(error)")
    }

    /// Only root can give a folder away.
    @Test(.enabled(if: getuid() == 0)) func aCacheOfSomebodyElseIsRefused() async throws {
        _ = try await project.build()
        try FileManager.default.setAttributes([.ownerAccountID: 65534], ofItemAtPath: cache)
        let error = try #require(try await project.failure())
        #expect(
            error.detail.hasPrefix("the cache of builds cache belongs to user 65534: expected user 0 as the owner"),
            "\(error)")
    }
}
