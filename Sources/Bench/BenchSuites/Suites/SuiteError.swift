public import YAMLReading

/// Everything that is wrong with a suite's file: found before anything runs.
public typealias SuiteError = DocumentError
