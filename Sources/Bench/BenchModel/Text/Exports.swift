// Places in files, and texts for people, are part of the model.
@_exported public import SourceText
