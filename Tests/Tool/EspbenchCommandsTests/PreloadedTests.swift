#if os(Linux)
    import EspbenchCommands
    import Foundation
    import Testing

    /// The tool with some of the system's functions replaced by a library that is loaded before the C library.
    @Suite("With replaced system calls", .ownThreads, .timeLimit(.minutes(10)))
    struct PreloadedTests {
        /// Refuses files without a name, as file systems without O_TMPFILE do, and writes to the file CALLS what is synced
        /// and linked.
        private static let source = """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <errno.h>
            #include <fcntl.h>
            #include <stdarg.h>
            #include <stdio.h>
            #include <stdlib.h>
            #include <unistd.h>

            static void note(const char* call, const char* path) {
              FILE* calls = fopen(getenv("CALLS"), "a");
              if (!calls) return;
              fprintf(calls, "%s %s\\n", call, path);
              fclose(calls);
            }
            static int opened(const char* name, const char* path, int flags, int mode) {
              if ((flags & O_TMPFILE) == O_TMPFILE) {
                errno = EOPNOTSUPP;
                return -1;
              }
              return ((int (*)(const char*, int, ...))dlsym(RTLD_NEXT, name))(path, flags, mode);
            }
            int open(const char* path, int flags, ...) {
              va_list rest;
              va_start(rest, flags);
              return opened("open", path, flags, va_arg(rest, int));
            }
            int open64(const char* path, int flags, ...) {
              va_list rest;
              va_start(rest, flags);
              return opened("open64", path, flags, va_arg(rest, int));
            }
            int fsync(int file) {
              char link[32], path[4096] = "";
              snprintf(link, sizeof link, "/proc/self/fd/%d", file);
              if (readlink(link, path, sizeof path - 1) >= 0) note("sync", path);
              return 0;
            }
            int link(const char* from, const char* to) {
              note("link", to);
              return ((int (*)(const char*, const char*))dlsym(RTLD_NEXT, "link"))(from, to);
            }

            """

        /// The tool with the library, in `folder`.
        private func tool(_ arguments: [String], _ folder: URL, cache: URL? = nil) throws -> EspbenchProcess {
            let library = folder.appending(path: "calls.so").path
            if !FileManager.default.fileExists(atPath: library) {
                try Data(Self.source.utf8).write(to: folder.appending(path: "calls.c"))
                let compiler = try Process.run(
                    URL(filePath: "/usr/bin/c++"),
                    arguments: ["-x", "c", "-shared", "-fPIC", "-o", library, folder.path + "/calls.c", "-ldl"])
                compiler.waitUntilExit()
                #expect(compiler.terminationStatus == 0)
            }
            let run = EspbenchProcess(
                arguments, folder: folder, cache: cache, shell: #"LD_PRELOAD=./calls.so exec "$@""#)
            run.process.environment?["CALLS"] = folder.appending(path: "calls").path
            return run
        }

        private func write(_ text: String, _ path: String, _ folder: URL) throws {
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }

        @Test("a new key is on the disk before it has its name, and its name before it is used")
        func syncedKey() throws {
            try withTemporaryFolder { folder in
                try write("#pragma once\nvoid setup();\n", "Host/include/Arduino.h", folder)
                try write("#include <Arduino.h>\nint main() { setup(); }\n", "Host/Main.cpp", folder)
                try write("void setup() {}\n", "Lamp/Lamp.ino", folder)
                let run = try tool(["build", "Lamp"], folder, cache: folder.appending(path: "cache"))
                run.process.environment?["ESPBENCH_HOST_CORE"] = "Host"
                let result = try run.run()
                #expect(result.code == 0, "\(result.errors)")
                let state = folder.resolvingSymlinksInPath().path + "/.local/state/espbench"
                let calls = try String(contentsOf: folder.appending(path: "calls"), encoding: .utf8)
                    .split(separator: "\n").map(String.init)
                let process = run.process.processIdentifier
                #expect(
                    calls == [
                        "sync \(state)/sealing.key.\(process)", "link \(state)/sealing.key", "sync \(state)",
                    ])
                #expect(
                    try FileManager.default.contentsOfDirectory(atPath: state).filter { $0.contains("key") } == [
                        "sealing.key"
                    ])
            }
        }

        /// A run that is killed leaves one with a name there, which else has none.
        @Test("a report is written where files need a name, and the next run removes that of a killed one")
        func namedFiles() throws {
            try withTemporaryFolder { folder in
                try write(
                    """
                    suite: Long
                    sketch: Calculator
                    cases:
                      - {name: boots, steps: [expect: {console: BLE Service is advertising}]}
                      - {name: 'idles {n}', each: {n: 0...65535}, steps: [advance: 1 s]}

                    """, "s.yaml", folder)
                var root = URL(filePath: #filePath)
                for _ in 0..<4 { root.deleteLastPathComponent() }
                let arguments = ["test", "s.yaml", "--project", root.path, "--junit", "r.xml"]
                let killed = try tool(arguments, folder)
                try killed.process.run()
                _ = killed.waitForOutput("✓ boots")
                kill(killed.process.processIdentifier, SIGKILL)
                killed.process.waitUntilExit()
                let left = ".r.xml.\(killed.process.processIdentifier).tmp"
                func files() throws -> [String] {
                    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains("r.xml") }
                }
                #expect(try files() == [left])
                let next = try tool(arguments + ["--case", "boots"], folder).run()
                #expect(next.code == 0, "\(next.errors)")
                #expect(try files() == ["r.xml"])
                let report = try String(contentsOf: folder.appending(path: "r.xml"), encoding: .utf8)
                #expect(report.hasSuffix("</testsuites>\n") && report.contains("boots"))
            }
        }

        @Test("the compilers of a killed build end with it")
        func killedBuild() throws {
            try withTemporaryFolder { folder in
                try write("", "Host/include/Arduino.h", folder)
                try write("int main() {}\n", "Host/Main.cpp", folder)
                // A compiler waits for it for ever.
                let pipe = folder.appending(path: "pipe").path
                #expect(mkfifo(pipe, 0o600) == 0)
                try write("#include \"\(pipe)\"\n", "Lamp/Lamp.ino", folder)
                let build = EspbenchProcess(["build", "Lamp"], folder: folder, cache: folder.appending(path: "cache"))
                build.process.environment?["ESPBENCH_HOST_CORE"] = "Host"
                try build.process.run()
                func compilers() throws -> Int {
                    try FileManager.default.contentsOfDirectory(atPath: "/proc").count { entry in
                        let data = FileManager.default.contents(atPath: "/proc/\(entry)/cmdline") ?? Data()
                        let line = String(decoding: data, as: UTF8.self)
                        return ["cc1plus", folder.lastPathComponent + "/cache", "Lamp.ino"].allSatisfy(line.contains)
                    }
                }
                func wait(for condition: () throws -> Bool) throws -> Bool {
                    for _ in 0..<600 {
                        if try condition() { return true }
                        usleep(50_000)
                    }
                    return false
                }
                #expect(try wait { try compilers() > 0 })
                kill(build.process.processIdentifier, SIGKILL)
                build.process.waitUntilExit()
                #expect(try wait { try compilers() == 0 })
            }
        }
    }
#endif
