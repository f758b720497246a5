/// The compiler flags for each kind of file.
struct CompilerFlags: Sendable {
    /// The data model of the programs.
    let model: DataModel
    /// True if the compiler is GCC.
    let isGCC: Bool
    /// True if the basic blocks that sketches and libraries execute are counted.
    let counts: Bool
    /// True if programs check themselves with sanitizers.
    let isSanitized: Bool
    /// True if programs contain the C++ library: to load it takes longer than the rest of a start. The C library is
    /// loaded: in a program that contains it, exceptions allocate memory, which would be the chip's.
    let isStatic: Bool

    /// For every file. addr2line misreads the file numbers of DWARF 5 where `#line` renames the main file (binutils 2.40).
    /// arduino-esp32 compiles with stack protection, too.
    private static let common = [
        "-Os", "-g", "-gdwarf-4", "-fno-omit-frame-pointer", "-funsigned-char", "-fstack-protector",
        "-fno-tree-vectorize", "-fdiagnostics-color=never",
    ]
    /// As in arduino-esp32: exceptions, and no run-time type information. Blocks of the chip's heap are aligned to 4
    /// bytes, and the compiler assumes 8 for `new`: no instruction needs more.
    private static let cpp = ["-std=gnu++2b", "-fexceptions", "-fno-rtti", "-faligned-new=8"]
    private static let c = ["-std=gnu17"]

    /// A fault ends the program. `vptr` needs type information; AddressSanitizer describes the faults that
    /// `object-size` finds better.
    private static let sanitizers = [
        "-fsanitize=address,undefined", "-fno-sanitize=vptr,object-size,bool,enum", "-fno-sanitize-recover=all",
    ]

    /// The macros that arduino-esp32 and ESP-IDF give every file, and the macro that identifies the host bench.
    private static let board = [
        "-DESPBENCH_HOST=1", "-DARDUINO=10812", "-DARDUINO_ARCH_ESP32", "-DARDUINO_ESP32_DEV",
        "-DARDUINO_BOARD=\"ESP32_DEV\"", "-DARDUINO_VARIANT=\"esp32\"", "-DESP32=ESP32", "-DESP_PLATFORM",
        "-DF_CPU=240000000L",
    ]

    /// The warnings of a sketch's own C++ files. arduino-cli shows none by default; these report mistakes that crash or
    /// have no effect: callbacks with the parameters of NimBLE-Arduino 1.x are never called, and a function without
    /// `return` runs on into the next. `counter++` of a `volatile` is an idiom of sketches.
    var warnings: [String] {
        ["-Woverloaded-virtual", "-Wreturn-type", "-Wuninitialized", "-Wparentheses"]
            + [isGCC ? "-Wno-volatile" : "-Wno-deprecated-volatile"]
    }

    private var general: [String] { model.flags + Self.common + (isSanitized ? Self.sanitizers : []) }

    /// Calls a function of the host core in each basic block.
    private var counting: [String] {
        counts ? ["-fsanitize-coverage=" + (isGCC ? "trace-pc" : "bb,trace-pc")] : []
    }

    /// A sketch's call at the end of a function does not become a jump: it cannot with the ESP32's windowed registers
    /// (GCC, `xtensa_function_ok_for_sibcall`). So the caller is in backtraces.
    private static let calls = ["-fno-optimize-sibling-calls"]

    /// The flags of the host core's file `source`. Its system calls have the machine's layout of structures.
    func core(_ source: String, hasSystemCalls: Bool) -> [String] {
        general + (hasSystemCalls ? [] : model.layoutFlags) + Self.language(of: source)
    }

    /// As in arduino-esp32, the linker leaves out the functions and variables that nothing refers to.
    private static let sections = ["-ffunction-sections", "-fdata-sections"]

    /// The flags of the file `source` of a sketch or library; its basic blocks are counted if `isCounted`.
    func sketch(_ source: String, isCounted: Bool) -> [String] {
        general + model.layoutFlags + Self.calls + (isCounted ? counting : []) + Self.sections
            + Self.language(of: source) + Self.board
    }

    /// The flags of the precompiled headers: those of a sketch's C++ files.
    var header: [String] { coreHeader + Self.calls + counting + Self.sections + Self.board }

    /// The flags of the precompiled header of the host core's own files.
    var coreHeader: [String] { general + model.layoutFlags + ["-x", "c++-header"] + Self.cpp }

    /// Additional flags for the library NimBLE-Arduino. A function that the host core lacks is an error where it is
    /// called; some files call functions of other chips, but nothing calls those files. Sanitizers check the library's
    /// memory accesses but not its arithmetic: it computes addresses before arrays, which is undefined but harmless,
    /// and not the user's fault.
    func nimbleLibrary(_ source: String, _ faults: [KnownLibraryFault]) -> [String] {
        let strict = source.fileExtension == "c" ? ["-Werror=implicit-function-declaration"] : []
        let unchecked = isSanitized ? ["-fno-sanitize=undefined"] + faults.flatMap(\.flags) : []
        return strict + unchecked
    }

    /// The flags for linking a program.
    var link: [String] {
        model.linkFlags + ["-Wl,--gc-sections"] + (isStatic ? ["-static-libstdc++", "-static-libgcc"] : [])
            + (isSanitized ? Self.sanitizers : [])
    }

    /// All flags, for cache keys.
    var all: [String] {
        general + model.layoutFlags + Self.calls + counting + Self.sections + Self.cpp + Self.c + Self.board
            + nimbleLibrary(".c", KnownLibraryFault.all) + link
    }

    /// The flags of a C++ file and of the program that it is linked to.
    var program: [String] { general + model.layoutFlags + counting + Self.cpp }

    private static func language(of source: String) -> [String] {
        switch source.fileExtension {
        case "c": ["-x", "c"] + c
        case "S": ["-x", "assembler-with-cpp"]
        default: ["-x", "c++"] + cpp
        }
    }
}
