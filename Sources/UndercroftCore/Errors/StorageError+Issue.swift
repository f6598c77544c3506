import Logging

extension StorageError {
  /// The closure that receives the errors that the code of the present task reports instead of
  /// throwing them, or `nil` if they are logged with the label "undercroft".
  ///
  /// A tool sets the closure while it runs a command, so that its user sees these errors in the
  /// form of its other messages. A store may call the closure while it holds its locks, so the
  /// closure must not use a store.
  @TaskLocal package static var issueHandler: (@Sendable (StorageError) -> Void)?

  /// Passes this error to ``issueHandler``, or logs it if there is no handler.
  ///
  /// Call this method for an error that does not make a call fail, such as that of a vault that has
  /// stored a change but cannot erase the old value, and for an error on a thread without a caller.
  package func reportIssue() {
    if let handler = Self.issueHandler {
      handler(self)
    } else {
      Logger(label: "undercroft").error("\(self)")
    }
  }
}
