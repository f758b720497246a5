import Foundation
import Testing

/// What macOS reads of the tool: it ends a program that uses Bluetooth and does not say what for.
@Suite("Info.plist")
struct InfoPlistTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized
    private static let path = "Sources/Tool/espbench/Info.plist"

    @Test("says what Bluetooth is used for")
    func description() throws {
        let data = try Data(contentsOf: Self.root.appending(path: Self.path))
        let list = try PropertyListSerialization.propertyList(from: data, format: nil)
        let keys = try #require(list as? [String: Any])
        let use = try #require(keys["NSBluetoothAlwaysUsageDescription"] as? String)
        #expect(use.contains("Bluetooth"))
    }

    @Test("is put into the tool by its linker")
    func linking() throws {
        let manifest = try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
        let texts = manifest.matches(of: #/"([^"]*)"/#).map { String($0.1) }.filter { $0 != "-Xlinker" }
        let start = try #require(texts.firstIndex(of: "-sectcreate"))
        #expect(
            texts[start...].prefix(4) == [
                "-sectcreate", "__TEXT", "__info_plist", "\\(Context.packageDirectory)/\(Self.path)",
            ])
    }
}
