import Logging

extension StorageError {
  /// Logs this error, for code that cannot throw the error to a caller.
  package func log() { Logger(label: "undercroft").error("\(self)") }
}
