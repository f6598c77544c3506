import Logging

extension StorageError {
  /// Logs the error, where no caller can be thrown it.
  package func log() { Logger(label: "undercroft").error("\(self)") }
}
