import Logging

extension StorageError {
  /// The receiver of the errors that the code of the present task reports instead of throwing them,
  /// or `nil` if they are logged with the label "undercroft".
  ///
  /// A tool sets the receiver while it runs a command, so that its user sees these errors in the
  /// form of its other messages.
  @TaskLocal package static var issueReceiver: IssueReceiver?

  /// Passes this error to ``issueReceiver``, or logs it if there is no receiver.
  ///
  /// Call this method for an error that does not make a call fail, such as that of a vault that has
  /// stored a change but cannot erase the old value, and for an error on a thread without a caller.
  package func reportIssue() {
    if let receiver = Self.issueReceiver {
      receiver.receive(self)
    } else {
      Logger(label: "undercroft").error("\(self)")
    }
  }
}

/// A receiver of errors that do not make a call fail.
///
/// It is an object, because an optimised build of Swift 6.3 crashes when it sets a task-local
/// closure.
package final class IssueReceiver: Sendable {
  /// Receives an error.
  ///
  /// A store may call the closure while it holds its locks, so the closure must not use a store.
  package let receive: @Sendable (StorageError) -> Void

  /// Creates a receiver that calls a closure.
  package init(_ receive: @escaping @Sendable (StorageError) -> Void) { self.receive = receive }
}
