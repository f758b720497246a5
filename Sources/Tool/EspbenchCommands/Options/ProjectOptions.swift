import ArgumentParser

/// The location of the project.
struct ProjectOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The folder with the sketches and the host core.", valueName: "folder"))
    var firmware: String?
}
