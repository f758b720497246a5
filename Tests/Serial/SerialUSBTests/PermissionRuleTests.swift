import Foundation
import Testing

/// The udev rule, installed by `Scripts/setup`; `udevadm` judges it.
final class PermissionRuleTests: Sendable {
    private static let setup = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Scripts/setup").standardized
    private static let canJudge =
        EmulatedBus.isAvailable && getuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/udevadm")

    private let folder = FileManager.default.temporaryDirectory.appending(path: "rules-\(UUID().uuidString)")

    deinit { try? FileManager.default.removeItem(at: folder) }

    private var rule: URL { folder.appending(path: "60-espbench.rules") }

    private func setUp(_ arguments: String...) async throws -> (lines: [String], status: Int32) {
        let script = try ChildProcess(
            Self.setup, arguments, environment: ["ESPBENCH_UDEV_RULES": folder.path], mergesErrors: true)
        return (await script.lines(), await script.finish())
    }

    @Test func theRuleIsPrintedInstalledAndRemoved() async throws {
        let printed = try await setUp("--udev", "--print")
        #expect(printed.status == 0 && printed.lines.contains { $0.contains("303a") })
        let none = try await setUp("--udev", "--remove")
        #expect(none.status == 0 && none.lines == ["\(rule.path) is not installed"])
        // Installed twice it is the same.
        for _ in 0..<2 {
            let installed = try await setUp("--udev")
            #expect(installed.status == 0 && installed.lines.first == "installed \(rule.path)", "\(installed.lines)")
            #expect(try String(contentsOf: rule, encoding: .utf8) == printed.lines.joined(separator: "\n") + "\n")
            #expect(try FileManager.default.attributesOfItem(atPath: rule.path)[.posixPermissions] as? Int == 0o644)
        }
        let removed = try await setUp("--udev", "--remove")
        #expect(removed.status == 0 && removed.lines.first == "removed \(rule.path)")
        #expect(!FileManager.default.fileExists(atPath: rule.path))
        for wrong in [["--other"], [], ["--print"]] {
            let script = try ChildProcess(Self.setup, wrong)
            #expect(await script.finish() == 64)
        }
    }

    /// What udev does with a device when these rules are installed, besides the system's own.
    private func judge(_ kind: String, _ rules: String) async throws -> [String] {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try rules.write(to: rule, atomically: true, encoding: .utf8)
        let bus = try await EmulatedBus(kind)
        let device = "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-1"
        let judge = try bus.command(["udevadm", "test", "--action=add", device])
        // udev's own folders are hidden: the machine's stay as they are.
        let script = """
            mkdir -p /etc/udev/rules.d /run/udev && mount --bind "$0" /etc/udev/rules.d && mount -t tmpfs none /run/udev \
              && exec "$@" 2>&1
            """
        let process = try ChildProcess(
            URL(filePath: "/usr/bin/unshare"), ["-m", "sh", "-c", script, folder.path] + judge)
        let lines = await process.lines()
        #expect(await process.finish() == 0, "\(lines)")
        await bus.end()
        try FileManager.default.removeItem(at: folder)
        return lines.filter { $0.contains("60-espbench.rules") || $0.contains("CURRENT_TAGS") }
    }

    @Test(
        .enabled(if: canJudge, "needs root, umockdev and udevadm"),
        arguments: EmulatedDeviceTests.uarts + EmulatedDeviceTests.chips)
    func udevGivesTheDeviceToItsUsers(kind: EmulatedDeviceTests.Kind) async throws {
        _ = try await setUp("--udev")
        let lines = try await judge(kind.name, try String(contentsOf: rule, encoding: .utf8))
        let complaints = lines.filter { $0.hasPrefix("/") || $0.contains("ignoring") || $0.contains("Invalid") }
            .filter { !$0.hasPrefix("Reading") }
        #expect(complaints == [])
        // The device of the class CDC-ACM is of no vendor that makes ESP boards: its ids are for tests.
        let isKnown = kind.name != "cdc-acm"
        #expect(lines.contains { $0.hasSuffix(" MODE 0660") } == isKnown, "\(lines)")
        #expect(lines.contains { $0.contains(" GROUP ") } == isKnown, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("CURRENT_TAGS=") && $0.contains(":uaccess:") } == isKnown, "\(lines)")
    }

    @Test(.enabled(if: canJudge, "needs root, umockdev and udevadm"))
    func udevComplainsOfAWrongRule() async throws {
        let lines = try await judge("cp2102", "SUBSYSTEM!=\"usb\", BOGUS=\"1\"\n")
        #expect(lines.contains { $0.contains("60-espbench.rules:1 Invalid key 'BOGUS'") }, "\(lines)")
    }
}
