import BenchRuns
import EspbenchCommands
import Testing

@Suite("What changes concern")
struct WatchScopeTests {
    private static let lamp = "/p/Lamp/Suites/lamp.yaml"
    private static let second = "/p/Lamp/Suites/second.yaml"
    private static let lock = "/p/Lock/Suites/lock.yaml"

    private static let scope = WatchScope(
        suites: [lamp, second, lock],
        sources: [
            WatchScope.Sources("/p/Lamp", suites: [lamp, second]), WatchScope.Sources("/p/Lock", suites: [lock]),
            WatchScope.Sources("/p/libraries/Debounce", suites: [lamp, second, lock]),
            WatchScope.Sources("/host", suites: nil),
        ], files: ["/p/espbench.yaml"])

    @Test(
        "the suites of a sketch, a suite alone, or all",
        arguments: [
            ("/p/Lamp/Lamp.ino", [lamp, second]), ("/p/Lamp/src/deep/led.cpp", [lamp, second]),
            ("/p/Lock/Lock.ino", [lock]), (lamp, [lamp]), ("/p/LampX/x.h", []), ("/p/README.h", []),
            ("/p/espbench.yaml", [lamp, second, lock]), ("/host/include/Arduino.h", [lamp, second, lock]),
            ("/p/libraries/Debounce/src/Debounce.h", [lamp, second, lock]),
        ])
    func concerned(path: String, suites: [String]) {
        for kind in [FileChange.Kind.added, .changed, .removed] {
            let changes = [FileChange(path: path, kind: kind)]
            #expect(Self.scope.suites(concernedBy: changes, former: Self.scope) == suites)
        }
    }

    @Test("a new suite itself, and of a removed suite none")
    func newAndRemoved() {
        var former = Self.scope
        former.suites.removeAll { $0 == Self.second }
        former.sources[0].suites = [Self.lamp]
        let added = [FileChange(path: Self.second, kind: .added)]
        #expect(Self.scope.suites(concernedBy: added, former: former) == [Self.second])
        let removed = [FileChange(path: Self.second, kind: .removed)]
        #expect(former.suites(concernedBy: removed, former: Self.scope).isEmpty)
    }

    @Test("what a removed sketch's files concerned")
    func removedSketch() {
        var scope = Self.scope
        scope.sources.removeFirst()
        let removed = [FileChange(path: "/p/Lamp/Lamp.ino", kind: .removed)]
        #expect(scope.suites(concernedBy: removed, former: Self.scope) == [Self.lamp, Self.second])
    }

    @Test(
        "only sources, and not what editors and runs write beside them",
        arguments: [
            ("Lamp.ino", true), ("a.h", true), ("a.cpp", true), ("a.S", true), ("sketch.yaml", true),
            ("partitions.csv", true), ("library.properties", true), (".Lamp.ino.swp", false), ("Lamp.ino~", false),
            ("#Lamp.ino#", false), (".#Lamp.ino", false), ("4913", false), ("Lamp.ino.tmp", false),
            ("run.jsonl", false), ("report.xml", false), ("air.btsnoop", false), ("Makefile", false), ("", false),
        ])
    func sources(name: String, expected: Bool) {
        #expect(WatchScope.isSource(name) == expected)
    }

    @Test("differ from those of another moment in what was added, changed and removed")
    func snapshots() {
        func stamp(_ modified: Int64) -> FileSnapshot.Stamp {
            FileSnapshot.Stamp(device: 1, file: 2, size: 3, modified: modified, mode: 4)
        }
        let former = FileSnapshot(["/a": stamp(1), "/b": stamp(1), "/c": stamp(1)])
        let snapshot = FileSnapshot(["/a": stamp(1), "/b": stamp(2), "/d": stamp(1)])
        #expect(
            snapshot.changes(since: former) == [
                FileChange(path: "/b", kind: .changed), FileChange(path: "/c", kind: .removed),
                FileChange(path: "/d", kind: .added),
            ])
        #expect(former.changes(since: former).isEmpty)
    }

    @Test("are over when nothing happens for a while, later if files are missing, and in any case after 2 s")
    func quiet() {
        var quiet = Quiet(at: .seconds(1))
        #expect(quiet.end(isMissing: false) == .milliseconds(1_050))
        #expect(quiet.end(isMissing: true) == .milliseconds(1_300))
        quiet.change(at: .milliseconds(1_040))
        #expect(quiet.end(isMissing: false) == .milliseconds(1_090))
        quiet.change(at: .milliseconds(2_990))
        #expect(quiet.end(isMissing: true) == .seconds(3))
    }
}
