import ESPImage

extension DoctorCheck {
    private static let program = "int main() { return 0; }\n"

    /// What sketches on virtual boards need.
    static let compilerChecks = [
        DoctorCheck("C++ compiler", .virtual) { machine in
            let remedy = machine.isLinux ? machine.installing("g++") : "xcode-select --install"
            guard let compiler = machine.program("c++", "g++", "clang++") else {
                return .missing("no c++, g++ or clang++ in PATH", remedy)
            }
            let arguments = ["-std=gnu++2b", "-x", "c++", "-fsyntax-only", "-"]
            guard let outcome = await machine.run(compiler, arguments, input: "#include <vector>\n" + program) else {
                return .missing("\(compiler) cannot be run", remedy)
            }
            guard outcome.isSuccess else {
                return .missing("\(compiler) compiles no C++23 with the standard library: \(outcome.lastLine)", remedy)
            }
            let version = await machine.run(compiler, ["--version"])
            return .ok([compiler, version?.firstLine ?? ""].filter { !$0.isEmpty }.joined(separator: ": "))
        },
        DoctorCheck("32-bit support", .virtual) { machine in
            guard let compiler = machine.program("c++", "g++", "clang++") else {
                return .none("no compiler to ask")
            }
            let outcome = await machine.run(
                compiler, ["-m32", "-x", "c++", "-o", "/dev/null", "-"], input: "#include <vector>\n" + program)
            guard outcome?.isSuccess == true else {
                guard HostProgram.runnableABIs.contains(HostProgram.chipModelABI) else {
                    return .none("only x86-64 Linux runs 32-bit programs; sketches are 64-bit")
                }
                return .optional(
                    "\(compiler) -m32 makes no programs: sketches are compiled 64-bit, and long, size_t and pointers have 8 "
                        + "bytes, on the chip 4",
                    machine.installing("g++-multilib"))
            }
            return .ok("\(compiler) -m32 makes programs")
        },
        DoctorCheck("Swift", .virtual) { machine in
            machine.program("swift").map { .ok("\($0); only tests in Swift need it") }
                ?? .none("not installed; only tests in Swift need it")
        },
    ]
}
