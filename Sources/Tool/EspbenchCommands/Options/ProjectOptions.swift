import ArgumentParser

/// Where the project is.
struct ProjectOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The folder with the sketches and the host core.", valueName: "folder"))
    var firmware: String?
}
