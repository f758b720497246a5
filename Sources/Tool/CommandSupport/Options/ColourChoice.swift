import ArgumentParser

/// When output is coloured.
package enum ColourChoice: String, ExpressibleByArgument, CaseIterable {
    case auto
    case always
    case never
}
