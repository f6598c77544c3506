import Logging

extension StorageError {
  /// Logs the error, for code that has no caller to which it could throw.
  package func log() { Logger(label: "undercroft").error("\(self)") }
}
