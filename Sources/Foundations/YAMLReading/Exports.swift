// Whoever reads files tells places in them.
@_exported public import SourceText
