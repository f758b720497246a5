import CommandSupport

extension Flash {
    var unusedOptions: [UnusedOptions] {
        let arguments = try? FlashArguments(image.map { [$0] } ?? words)
        var unused: [UnusedOptions] = []
        if let arguments, !arguments.files.isEmpty {
            unused += [
                UnusedOptions(["--target", "--environment"], "files are flashed, and nothing is built"),
                .building("files are flashed, and nothing is built"),
            ]
        }
        guard ports.isEmpty else {
            return unused + [UnusedOptions(["--flash-file"], "it is the file of a virtual board, and --port is given")]
        }
        unused.append(
            UnusedOptions(
                ["--baud", "--stub", "--no-stub", "--before", "--after", "--connect-attempts"],
                "without --port this user's virtual board is flashed, which is always in its loader"))
        if let arguments, arguments.files.isEmpty {
            unused.append(
                UnusedOptions(
                    ["--partitions", "--flash-mode", "--flash-freq", "--flash-size", "--raw", "--environment"],
                    "without --port a sketch is flashed as it was built"))
        }
        return unused
    }
}
