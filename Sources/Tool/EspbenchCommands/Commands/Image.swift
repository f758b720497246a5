import ArgumentParser

/// `espbench image`.
struct Image: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show images, merge them into one, or make them from ELF files.",
        subcommands: [ImageInfo.self, ImageMerge.self, ImageMake.self])
}
