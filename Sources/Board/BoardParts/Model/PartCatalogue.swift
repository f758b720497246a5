/// The kinds of parts that come with espbench.
public enum PartCatalogue {
    /// The kinds, in alphabetical order.
    public static let builtIn: [PartKind] = []

    /// The kind of a name; `nil`: there is none.
    public static func kind(named name: String) -> PartKind? { builtIn.first { $0.name == name } }
}
